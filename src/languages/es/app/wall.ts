import type * as en from "../../en/app/wall.ts"

export const wall: typeof en.wall = {
  title: "Muro",
  from: "de",
  empty: "Todavía no hay reconocimientos",
  invitation: "Da las gracias a alguien en {address} y aparecerá aquí.",
  qrCode: "Código QR de esta aplicación",
  week: "Esta semana",
  weekEmpty: "Todavía no hay agradecimientos. ¿Quién te ha ayudado?",
  thanks: { one: "# agradecimiento", other: "# agradecimientos" },
  keyMissing: "Este muro necesita su clave",
  keyEnded: "La clave de este muro ya no vale",
  keyHow:
    "Pide a quien lleva el servidor el enlace del muro, con la clave del ajuste stream.wall_key, y ábrelo aquí una vez:",
  logIn: "O inicia sesión",
  fullScreen: "Pantalla completa",
  leaveFullScreen: "Salir de pantalla completa",
  back: "Volver",
}
