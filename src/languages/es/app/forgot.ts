import type * as en from "../../en/app/forgot.ts"

export const forgot: typeof en.forgot = {
  title: "¿Has olvidado la contraseña?",
  lead: "Escribe tu correo y te enviaremos un enlace para poner una nueva.",
  email: "Correo electrónico",
  submit: "Enviar enlace",
  missing: "Escribe tu correo.",
  wrong: "Escribe un correo completo, como ana@example.com.",
  sentTitle: "Mira tu correo",
  sent: "Si hay una cuenta con este correo, un enlace está en camino. Vale una vez, y solo unos minutos.",
  again: "Usar otro correo",
  back: "Volver a iniciar sesión",
}
