import type * as en from "../../en/app/second-factors.ts"

export const factors: typeof en.factors = {
  lead: "Con un segundo factor, tu contraseña sola no basta para entrar en tu cuenta.",
  addPasskey: "Añadir una clave de acceso",
  addCodes: "Configurar una aplicación de autenticación",
  passkeyLead: "Tu huella, tu cara o el PIN de este dispositivo, o una llave de seguridad.",
  name: "Nombre, para distinguirla",
  createPasskey: "Crear clave de acceso",
  codesLead: "Lee este código con una aplicación de autenticación y escribe las seis cifras que muestra.",
  qrCode: "Código QR para tu aplicación de autenticación",
  typeSecret: "O escribe esta clave en la aplicación:",
  confirm: "Confirmar",
  kinds: { passkey: "Clave de acceso", totp: "Aplicación de autenticación" },
  added: "desde",
  used: "último uso",
  remove: "Quitar",
  removeFactor: "Quitar {name}",
  removeTitle: "¿Quitar {name}?",
  removeLead: "Ya no podrás entrar con este factor, y tendrás que entrar de nuevo en todos los demás sitios.",
  keepCodes: "Códigos de recuperación: guárdalos para el día en que pierdas tu dispositivo. Cada uno vale una vez.",
  codesLeft: {
    one: "queda # código de recuperación",
    other: "quedan # códigos de recuperación",
  },
  newCodes: "Crear nuevos",
  has: "Tiene un segundo factor.",
  reset: "Quitar los segundos factores",
  resetTitle: "¿Quitar los segundos factores de {name}?",
  resetLead:
    "{name} podrá entrar solo con la contraseña, y se cierran todas sus sesiones. Asegúrate de que lo pidió de verdad esa persona.",
  resetDone: "{name} puede entrar solo con la contraseña.",
}
