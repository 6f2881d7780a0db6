import type * as en from "../../en/app/shown-once.ts"

export const shownOnce: typeof en.shownOnce = {
  lead: "Fica aqui até você fechar e não pode ser consultado depois.",
  copy: "Copiar",
  copied: "Copiado",
  close: "Fechar",
}
