import type { Plural } from "../../writing.ts"

export const factors = {
  lead: "With a second factor, your password alone is not enough to log in to your account.",
  addPasskey: "Add a passkey",
  addCodes: "Set up an authenticator app",
  passkeyLead: "Your fingerprint, face or PIN on this device, or a security key.",
  name: "Name, to tell it apart",
  createPasskey: "Create passkey",
  codesLead: "Scan this code with an authenticator app, then enter the six digits that it shows.",
  qrCode: "QR code for your authenticator app",
  typeSecret: "Or type this key into the app:",
  confirm: "Confirm",
  kinds: { passkey: "Passkey", totp: "Authenticator app" },
  added: "added",
  used: "last used",
  remove: "Remove",
  removeFactor: "Remove {name}",
  removeTitle: "Remove {name}?",
  removeLead: "You can no longer log in with it, and you'll have to log in again everywhere else.",
  keepCodes: "Recovery codes: keep them for the day you lose your device. Each works once.",
  codesLeft: {
    one: "# recovery code left",
    other: "# recovery codes left",
  } as Plural,
  newCodes: "Make new ones",
  has: "Has a second factor.",
  reset: "Remove second factors",
  resetTitle: "Remove the second factors of {name}?",
  resetLead:
    "{name} can then log in with the password alone, and is logged out everywhere. Make sure it was really them who asked.",
  resetDone: "{name} can log in with the password alone.",
}
