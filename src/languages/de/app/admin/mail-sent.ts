import type * as en from "../../../en/app/admin/mail-sent.ts"

export const mailSent: typeof en.mailSent = {
  nobody: "E-Mail ist nicht eingerichtet, deshalb bekommt niemand eine.",
  links: "E-Mail ist nicht eingerichtet: Kopiere diese Links",
  linksLead: "Gib jeder Person ihren Link. Er setzt ein Passwort, deshalb sollte ihn sonst niemand haben.",
}
