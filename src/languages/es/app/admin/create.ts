import type * as en from "../../../en/app/admin/create.ts"

export const creation: typeof en.creation = {
  inviteText: "Un correo trae un enlace para elegir una contraseña.",
  invited: "{name} recibe un correo con un enlace para elegir una contraseña.",
  password: "Contraseña inicial",
  createSubmit: "Crear",
  created: "{name} ya puede entrar.",
}
