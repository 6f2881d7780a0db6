import type * as en from "../../en/app/forgot.ts"

export const forgot: typeof en.forgot = {
  title: "Passwort vergessen?",
  lead: "Gib deine E-Mail-Adresse ein, und wir senden dir einen Link, um ein neues zu setzen.",
  email: "E-Mail-Adresse",
  submit: "Link senden",
  missing: "Gib deine E-Mail-Adresse ein.",
  wrong: "Gib eine vollständige E-Mail-Adresse ein, wie ana@example.com.",
  sentTitle: "Sieh in deine E-Mails",
  sent: "Wenn es ein Konto mit dieser Adresse gibt, ist ein Link unterwegs. Er gilt einmal, und nur einige Minuten.",
  again: "Andere Adresse verwenden",
  back: "Zurück zur Anmeldung",
}
