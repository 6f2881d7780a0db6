import type * as en from "../../en/app/second-factor.ts"

export const secondFactor: typeof en.secondFactor = {
  title: "Zweiter Faktor",
  requiredLead:
    "Dein Konto darf viel und braucht deshalb mehr als ein Passwort. Richte einen Passkey oder eine Authenticator-App ein, dann geht es weiter.",
  loginLead: "Dein Konto hat einen zweiten Faktor.",
  goOn: "Weiter",
  code: "Code aus deiner App",
  missingCode: "Gib den Code ein.",
  noPasskey: "Es wurde kein Passkey verwendet. Versuche es noch einmal.",
  usePasskey: "Passkey verwenden",
  recoveryCode: "Wiederherstellungscode",
  useRecoveryCode: "Wiederherstellungscode verwenden",
  back: "Zurück",
}
