import type * as en from "../../../en/app/admin/create.ts"

export const creation: typeof en.creation = {
  inviteText: "Eine E-Mail bringt einen Link, um ein Passwort zu wählen.",
  invited: "{name} bekommt eine E-Mail mit einem Link, um ein Passwort zu wählen.",
  password: "Erstes Passwort",
  createSubmit: "Anlegen",
  created: "{name} kann sich jetzt anmelden.",
}
