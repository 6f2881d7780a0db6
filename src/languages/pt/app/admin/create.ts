import type * as en from "../../../en/app/admin/create.ts"

export const creation: typeof en.creation = {
  inviteText: "Um e-mail leva um link para escolher uma senha.",
  invited: "{name} receberá um e-mail com um link para escolher uma senha.",
  password: "Senha inicial",
  createSubmit: "Cadastrar",
  created: "{name} já pode entrar.",
}
