import type * as en from "../../en/app/last-feed.ts"

export const offline: typeof en.offline = {
  title: "Ce que vous avez vu en dernier",
  old: "Ce que {name} a vu ({time}). Sans connexion, vous pouvez seulement lire.",
}
