import type * as en from "../../en/app/second-factor.ts"

export const secondFactor: typeof en.secondFactor = {
  title: "Segundo factor",
  requiredLead:
    "Tu cuenta puede mucho, así que necesita algo más que una contraseña. Configura una clave de acceso o una aplicación de autenticación para seguir.",
  loginLead: "Tu cuenta tiene un segundo factor.",
  goOn: "Continuar",
  code: "Código de tu aplicación",
  missingCode: "Escribe el código.",
  noPasskey: "No se ha usado ninguna clave de acceso. Inténtalo de nuevo.",
  usePasskey: "Usar una clave de acceso",
  recoveryCode: "Código de recuperación",
  useRecoveryCode: "Usar un código de recuperación",
  back: "Volver",
}
