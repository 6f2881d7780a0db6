import type * as en from "../../en/app/reset.ts"

export const reset: typeof en.reset = {
  title: "Criar uma nova senha",
  welcome: "Boas-vindas! Escolha sua senha.",
  welcomeByName: "Boas-vindas, {name}! Escolha sua senha.",
  password: "Nova senha",
  confirm: "Repita a senha",
  submit: "Salvar senha",
  missing: "Digite uma nova senha.",
  differ: "As senhas não coincidem.",
  spentTitle: "Este link não é mais válido",
  spent: "Um link só pode ser usado uma vez e vale por tempo limitado. Você pode pedir outro.",
  missingTitle: "O link está incompleto",
  missingLink: "Abra de novo o link do e-mail ou peça outro.",
  ask: "Pedir um novo link",
}
