import type * as en from "../../en/mail/accounts.ts"

export const accountMail: typeof en.accountMail = {
  secondFactor: {
    subject: "Tu segundo factor ha cambiado",
    button: "Revisar mi cuenta",
    passkey_added: "Se ha añadido una clave de acceso a tu cuenta",
    totp_added: "Se ha añadido una aplicación de códigos a tu cuenta",
    passkey_removed: "Se ha quitado una clave de acceso de tu cuenta",
    totp_removed: "Se ha quitado una aplicación de códigos de tu cuenta",
    reset: "Un administrador ha quitado todos los segundos factores de tu cuenta",
    text: `Hola, {name}:

{what}: {when}.

Si has sido tú, o lo has pedido, no hay nada que hacer. Si no, cambia ya tu contraseña, revisa tus segundos factores y avisa a un
administrador:

{url}
`,
  },
  reset: {
    subject: "Nueva contraseña para {service}",
    button: "Elegir una contraseña nueva",
    text: `Alguien, esperamos que tú, ha pedido restablecer la contraseña de tu cuenta en {service}.
Abre este enlace para elegir una nueva:

{url}

El enlace caduca en {minutes}.
Si no has sido tú, no hagas caso de este correo: tu contraseña sigue igual.
`,
    minutes: { one: "# minuto", other: "# minutos" },
  },
  invitation: {
    subject: "Tu cuenta en {service}",
    button: "Elegir una contraseña",
    text: `Hola, {name}:

Ya tienes una cuenta en {service}. {invited}Tu nombre de usuario es {username}.
Abre este enlace para elegir una contraseña:

{url}

El enlace caduca en {days}. Después, usa «¿Has olvidado la contraseña?» en la página de inicio de sesión.
`,
    days: { one: "# día", other: "# días" },
  },
  invitationToProvider: {
    subject: "Tu cuenta en {service}",
    button: "Entrar",
    text: `Hola, {name}:

Ya tienes una cuenta en {service}. {invited}Tu nombre de usuario es {username}.
Entra aquí con la cuenta de tu empresa; no necesitas una contraseña propia:

{url}
`,
  },
  /** To a superuser who asked for it. */
  test: {
    subject: "Prueba del correo de {service}",
    button: "Abrir la página del servidor",
    text: `Hola, {name}:

El correo de {service} llega: el servidor de correo lo acepta y este mensaje está en tu buzón. No hay nada que hacer.

El estado del servidor:

{url}
`,
  },
  /** In an invitation, after its first sentence. */
  invited: "{inviter} te ha invitado.",
  /** Why one gets mail about accounts and rewards. */
  why: "Recibes este correo porque tienes una cuenta en {service}.",
}
