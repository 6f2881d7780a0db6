import type * as en from "../../en/app/last-feed.ts"

export const offline: typeof en.offline = {
  title: "Was du zuletzt gesehen hast",
  old: "Was {name} zuletzt sah ({time}). Ohne Verbindung kannst du nur lesen.",
}
