import type * as en from "../../en/app/shown-once.ts"

export const shownOnce: typeof en.shownOnce = {
  lead: "Se queda aquí hasta que lo cierres y después no se puede consultar.",
  copy: "Copiar",
  copied: "Copiado",
  close: "Cerrar",
}
