import type * as en from "../../en/app/login.ts"

export const login: typeof en.login = {
  title: "Iniciar sesión",
  username: "Nombre de usuario o correo",
  password: "Contraseña",
  show: "Mostrar contraseña",
  hide: "Ocultar contraseña",
  atLeast: { one: "Al menos # carácter", other: "Al menos # caracteres" },
  submit: "Entrar",
  forgot: "¿Has olvidado la contraseña?",
  provider: "Entrar con la cuenta de la empresa",
  or: "o",
  otherAddress: "Solo puedes iniciar sesión en esta dirección del servidor:",
  missingUsername: "Escribe tu nombre de usuario o tu correo.",
  missingPassword: "Escribe tu contraseña.",
  ended: "Tu sesión ha terminado. Entra para seguir donde estabas.",
  changed: "Tu contraseña ha cambiado. Entra con la nueva.",
  again: "Inicia sesión de nuevo primero, porque esto protege tu cuenta. Después inténtalo otra vez.",
  errors: {
    expired: "Ese inicio de sesión tardó demasiado o empezó en otro navegador. Inténtalo de nuevo.",
    denied: "El inicio de sesión se canceló. Inténtalo de nuevo cuando quieras.",
    unavailable: "El inicio de sesión de tu empresa no está disponible ahora. Inténtalo dentro de un momento.",
    failed:
      "El inicio de sesión de tu empresa dio una respuesta de la que no se puede fiar. Si vuelve a pasar, avisa a quien lleva este servidor.",
    unverified_email:
      "La cuenta de tu empresa no tiene ningún correo confirmado. Pide a quien gestiona esas cuentas que lo confirme.",
    no_account: "No hay ninguna cuenta aquí con tu correo. Pide a un administrador que cree una.",
    inactive: "Tu cuenta aquí está desactivada.",
    superuser: "Los administradores conectan la cuenta de la empresa en su perfil. Entra primero con tu contraseña.",
    linked_elsewhere:
      "Tu cuenta aquí está conectada a otra cuenta de la empresa. Pide a quien lleva este servidor que la desconecte.",
    incomplete:
      "A la cuenta de tu empresa le faltan datos que una cuenta de aquí necesita. Pide a un administrador que cree una.",
    too_many: "Han fallado demasiados inicios de sesión. Inténtalo dentro de cinco minutos.",
  },
}
