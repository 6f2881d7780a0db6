import type * as en from "../../en/app/recognition.ts"

export const recognition: typeof en.recognition = {
  title: "Reconhecimento",
  copy: "Copiar link",
  copied: "Link copiado",
  notCopied: "Copie o endereço da barra de endereços.",
  share: "Compartilhar",
  toFeed: "Todos os reconhecimentos",
  notFound: "Reconhecimento não encontrado",
  notFoundText: "Pode ser privado, ou o link pode estar incompleto.",
}
