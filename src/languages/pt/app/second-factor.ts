import type * as en from "../../en/app/second-factor.ts"

export const secondFactor: typeof en.secondFactor = {
  title: "Segundo fator",
  requiredLead:
    "Sua conta pode fazer muito e por isso precisa de mais que uma senha. Configure uma chave de acesso ou um aplicativo autenticador para continuar.",
  loginLead: "Sua conta tem um segundo fator.",
  goOn: "Continuar",
  code: "Código do aplicativo",
  missingCode: "Digite o código.",
  noPasskey: "Nenhuma chave de acesso foi usada. Tente de novo.",
  usePasskey: "Usar uma chave de acesso",
  recoveryCode: "Código de recuperação",
  useRecoveryCode: "Usar um código de recuperação",
  back: "Voltar",
}
