import type * as en from "../../en/app/last-feed.ts"

export const offline: typeof en.offline = {
  title: "Lo último que viste",
  old: "Lo que vio {name} ({time}). Sin conexión solo puedes leer.",
}
