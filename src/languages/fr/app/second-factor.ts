import type * as en from "../../en/app/second-factor.ts"

export const secondFactor: typeof en.secondFactor = {
  title: "Second facteur",
  requiredLead:
    "Votre compte peut beaucoup, il lui faut donc plus qu’un mot de passe. Configurez une clé d’accès ou une application d’authentification pour continuer.",
  loginLead: "Votre compte a un second facteur.",
  goOn: "Continuer",
  code: "Code de votre application",
  missingCode: "Saisissez le code.",
  noPasskey: "Aucune clé d’accès n’a été utilisée. Réessayez.",
  usePasskey: "Utiliser une clé d’accès",
  recoveryCode: "Code de secours",
  useRecoveryCode: "Utiliser un code de secours",
  back: "Retour",
}
