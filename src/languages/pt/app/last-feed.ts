import type * as en from "../../en/app/last-feed.ts"

export const offline: typeof en.offline = {
  title: "O que você viu por último",
  old: "O que {name} viu ({time}). Sem conexão, só é possível ler.",
}
