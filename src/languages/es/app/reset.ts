import type * as en from "../../en/app/reset.ts"

export const reset: typeof en.reset = {
  title: "Poner una contraseña nueva",
  welcome: "Te damos la bienvenida. Elige tu contraseña.",
  welcomeByName: "Te damos la bienvenida, {name}. Elige tu contraseña.",
  password: "Contraseña nueva",
  confirm: "Repite la contraseña",
  submit: "Poner contraseña",
  missing: "Escribe una contraseña nueva.",
  differ: "Las contraseñas no coinciden.",
  spentTitle: "Este enlace ya no vale",
  spent: "Un enlace vale una vez y por tiempo limitado. Puedes pedir uno nuevo.",
  missingTitle: "El enlace está incompleto",
  missingLink: "Abre de nuevo el enlace del correo, o pide uno nuevo.",
  ask: "Pedir un enlace nuevo",
}
