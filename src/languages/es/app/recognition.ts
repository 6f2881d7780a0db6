import type * as en from "../../en/app/recognition.ts"

export const recognition: typeof en.recognition = {
  title: "Reconocimiento",
  copy: "Copiar enlace",
  copied: "Enlace copiado",
  notCopied: "Copia la dirección de la barra de direcciones.",
  share: "Compartir",
  toFeed: "Todos los reconocimientos",
  notFound: "Reconocimiento no encontrado",
  notFoundText: "Puede que sea privado, o que el enlace esté incompleto.",
}
