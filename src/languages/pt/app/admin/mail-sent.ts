import type * as en from "../../../en/app/admin/mail-sent.ts"

export const mailSent: typeof en.mailSent = {
  nobody: "O e-mail não está configurado, por isso ninguém recebe nenhum.",
  links: "O e-mail não está configurado: copie estes links",
  linksLead: "Entregue a cada pessoa o seu link. Ele define a senha, por isso ninguém mais deve tê-lo.",
}
