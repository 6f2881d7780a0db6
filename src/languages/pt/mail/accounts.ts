import type * as en from "../../en/mail/accounts.ts"

export const accountMail: typeof en.accountMail = {
  secondFactor: {
    subject: "Seu segundo fator foi alterado",
    button: "Conferir minha conta",
    passkey_added: "Uma chave de acesso foi adicionada à sua conta",
    totp_added: "Um aplicativo de códigos foi adicionado à sua conta",
    passkey_removed: "Uma chave de acesso foi removida da sua conta",
    totp_removed: "Um aplicativo de códigos foi removido da sua conta",
    reset: "Um administrador removeu todos os segundos fatores da sua conta",
    text: `Olá, {name},

{what} em {when}.

Se foi você, ou se você pediu, não há nada a fazer. Se não, troque já a sua senha, confira os seus segundos fatores e avise um
administrador:

{url}
`,
  },
  reset: {
    subject: "Nova senha para {service}",
    button: "Escolher uma nova senha",
    text: `Alguém, esperamos que você, pediu para redefinir a senha da sua conta em {service}.
Abra este link para escolher uma nova:

{url}

O link expira em {minutes}.
Se não foi você, ignore este e-mail: sua senha continua a mesma.
`,
    minutes: { one: "# minuto", other: "# minutos" },
  },
  invitation: {
    subject: "Sua conta em {service}",
    button: "Escolher uma senha",
    text: `Olá, {name},

Você agora tem uma conta em {service}. {invited}Seu nome de usuário é {username}.
Abra este link para escolher uma senha:

{url}

O link expira em {days}. Depois disso, use "Esqueceu sua senha?" na página de entrada.
`,
    days: { one: "# dia", other: "# dias" },
  },
  invitationToProvider: {
    subject: "Sua conta em {service}",
    button: "Entrar",
    text: `Olá, {name},

Você agora tem uma conta em {service}. {invited}Seu nome de usuário é {username}.
Entre aqui com a conta da sua empresa; você não precisa de uma senha própria:

{url}
`,
  },
  /** To a superuser who asked for it. */
  test: {
    subject: "Teste dos e-mails de {service}",
    button: "Abrir a página do servidor",
    text: `Olá, {name},

Os e-mails de {service} chegam: o servidor de e-mail os aceita, e este está na sua caixa de entrada. Não há nada a fazer.

O estado do servidor:

{url}
`,
  },
  /** In an invitation, after its first sentence. */
  invited: "{inviter} convidou você.",
  /** Why one gets mail about accounts and rewards. */
  why: "Você recebe este e-mail porque tem uma conta em {service}.",
}
