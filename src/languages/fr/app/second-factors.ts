import type * as en from "../../en/app/second-factors.ts"

export const factors: typeof en.factors = {
  lead: "Avec un second facteur, votre mot de passe seul ne suffit pas pour entrer dans votre compte.",
  addPasskey: "Ajouter une clé d’accès",
  addCodes: "Configurer une application d’authentification",
  passkeyLead: "Votre empreinte, votre visage ou le code de cet appareil, ou une clé de sécurité.",
  name: "Nom, pour la reconnaître",
  createPasskey: "Créer la clé d’accès",
  codesLead:
    "Scannez ce code avec une application d’authentification, puis saisissez les six chiffres qu’elle affiche.",
  qrCode: "Code QR pour votre application d’authentification",
  typeSecret: "Ou saisissez cette clé dans l’application :",
  confirm: "Confirmer",
  kinds: { passkey: "Clé d’accès", totp: "Application d’authentification" },
  added: "ajout",
  used: "dernière utilisation",
  remove: "Retirer",
  removeFactor: "Retirer {name}",
  removeTitle: "Retirer {name} ?",
  removeLead: "Vous ne pourrez plus vous connecter avec, et il faudra vous reconnecter partout ailleurs.",
  keepCodes: "Codes de secours : gardez-les pour le jour où vous perdez votre appareil. Chacun sert une fois.",
  codesLeft: {
    one: "encore # code de secours",
    other: "encore # codes de secours",
  },
  newCodes: "En créer de nouveaux",
  has: "A un second facteur.",
  reset: "Retirer les seconds facteurs",
  resetTitle: "Retirer les seconds facteurs de {name} ?",
  resetLead:
    "{name} pourra se connecter avec le mot de passe seul, et sera déconnecté partout. Assurez-vous que la demande vient bien de cette personne.",
  resetDone: "{name} peut se connecter avec le mot de passe seul.",
}
