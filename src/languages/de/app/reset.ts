import type * as en from "../../en/app/reset.ts"

export const reset: typeof en.reset = {
  title: "Neues Passwort setzen",
  welcome: "Willkommen. Wähle dein Passwort.",
  welcomeByName: "Willkommen, {name}. Wähle dein Passwort.",
  password: "Neues Passwort",
  confirm: "Passwort wiederholen",
  submit: "Passwort setzen",
  missing: "Gib ein neues Passwort ein.",
  differ: "Die Passwörter stimmen nicht überein.",
  spentTitle: "Dieser Link gilt nicht mehr",
  spent: "Ein Link gilt einmal und nur für begrenzte Zeit. Du kannst einen neuen anfordern.",
  missingTitle: "Der Link ist unvollständig",
  missingLink: "Öffne den Link in der E-Mail noch einmal, oder fordere einen neuen an.",
  ask: "Neuen Link anfordern",
}
