import type * as en from "../../en/app/forgot.ts"

export const forgot: typeof en.forgot = {
  title: "Esqueceu a senha?",
  lead: "Digite seu e-mail e enviaremos um link para você criar uma nova.",
  email: "E-mail",
  submit: "Enviar link",
  missing: "Digite seu e-mail.",
  wrong: "Digite um e-mail completo, como ana@example.com.",
  sentTitle: "Confira seu e-mail",
  sent: "Se houver uma conta com este endereço, um link está a caminho. Ele só pode ser usado uma vez e vale por poucos minutos.",
  again: "Usar outro endereço",
  back: "Voltar para o login",
}
