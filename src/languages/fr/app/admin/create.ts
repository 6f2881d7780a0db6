import type * as en from "../../../en/app/admin/create.ts"

export const creation: typeof en.creation = {
  inviteText: "Un e-mail apporte un lien pour choisir un mot de passe.",
  invited: "{name} reçoit un e-mail avec un lien pour choisir un mot de passe.",
  password: "Premier mot de passe",
  createSubmit: "Créer",
  created: "{name} peut maintenant se connecter.",
}
