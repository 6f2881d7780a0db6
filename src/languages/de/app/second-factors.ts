import type * as en from "../../en/app/second-factors.ts"

export const factors: typeof en.factors = {
  lead: "Mit einem zweiten Faktor reicht dein Passwort allein nicht, um in dein Konto zu kommen.",
  addPasskey: "Passkey hinzufügen",
  addCodes: "Authenticator-App einrichten",
  passkeyLead: "Dein Fingerabdruck, dein Gesicht oder die PIN auf diesem Gerät, oder ein Sicherheitsschlüssel.",
  name: "Name, zum Unterscheiden",
  createPasskey: "Passkey anlegen",
  codesLead: "Scanne diesen Code mit einer Authenticator-App und gib dann die sechs Ziffern ein, die sie zeigt.",
  qrCode: "QR-Code für deine Authenticator-App",
  typeSecret: "Oder tippe diesen Schlüssel in die App:",
  confirm: "Bestätigen",
  kinds: { passkey: "Passkey", totp: "Authenticator-App" },
  added: "hinzugefügt",
  used: "zuletzt verwendet",
  remove: "Entfernen",
  removeFactor: "{name} entfernen",
  removeTitle: "{name} entfernen?",
  removeLead: "Damit kannst du dich dann nicht mehr anmelden, und überall sonst musst du dich neu anmelden.",
  keepCodes: "Wiederherstellungscodes: Bewahre sie auf für den Tag, an dem du dein Gerät verlierst. Jeder gilt einmal.",
  codesLeft: {
    one: "noch # Wiederherstellungscode",
    other: "noch # Wiederherstellungscodes",
  },
  newCodes: "Neue erzeugen",
  has: "Hat einen zweiten Faktor.",
  reset: "Zweite Faktoren entfernen",
  resetTitle: "Die zweiten Faktoren von {name} entfernen?",
  resetLead:
    "{name} kann sich dann allein mit dem Passwort anmelden und wird überall abgemeldet. Vergewissere dich, dass wirklich diese Person darum bat.",
  resetDone: "{name} kann sich allein mit dem Passwort anmelden.",
}
