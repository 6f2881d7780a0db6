import type * as en from "../../../en/app/admin/mail-sent.ts"

export const mailSent: typeof en.mailSent = {
  nobody: "El correo no está configurado, así que nadie recibe ninguno.",
  links: "El correo no está configurado: copia estos enlaces",
  linksLead: "Da a cada persona su enlace. Sirve para elegir la contraseña, así que nadie más debería tenerlo.",
}
