import type * as en from "../../en/app/login.ts"

export const login: typeof en.login = {
  title: "Entrar",
  username: "Nome de usuário ou e-mail",
  password: "Senha",
  show: "Mostrar senha",
  hide: "Ocultar senha",
  atLeast: { one: "No mínimo # caractere", other: "No mínimo # caracteres" },
  submit: "Entrar",
  forgot: "Esqueceu a senha?",
  provider: "Entrar com a conta da empresa",
  or: "ou",
  otherAddress: "Você só pode entrar neste endereço do servidor:",
  missingUsername: "Digite seu nome de usuário ou e-mail.",
  missingPassword: "Digite sua senha.",
  ended: "Sua sessão terminou. Entre para continuar de onde parou.",
  changed: "Sua senha foi alterada. Entre com a nova.",
  again: "Entre de novo primeiro, porque isto protege sua conta. Depois tente outra vez.",
  errors: {
    expired: "O login demorou demais ou começou em outro navegador. Tente de novo.",
    denied: "O login foi cancelado. Tente de novo quando quiser.",
    unavailable: "Não é possível entrar com a conta da empresa agora. Tente de novo daqui a pouco.",
    failed:
      "A resposta do serviço de contas da empresa não é confiável. Se acontecer de novo, avise quem administra este servidor.",
    unverified_email:
      "Sua conta da empresa não tem um e-mail confirmado. Peça a quem cuida dessas contas que o confirme.",
    no_account: "Não há aqui uma conta com o seu e-mail. Peça a um administrador que crie uma.",
    inactive: "Sua conta aqui foi desativada.",
    superuser: "Administradores conectam a conta da empresa no próprio perfil. Entre primeiro com a senha.",
    linked_elsewhere:
      "Sua conta aqui está conectada a outra conta da empresa. Peça a quem administra este servidor que a desconecte.",
    incomplete:
      "Sua conta da empresa não traz todos os dados de que uma conta aqui precisa. Peça a um administrador que crie uma.",
    too_many: "Muitas tentativas de login falharam. Tente de novo em cinco minutos.",
  },
}
