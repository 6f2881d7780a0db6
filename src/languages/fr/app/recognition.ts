import type * as en from "../../en/app/recognition.ts"

export const recognition: typeof en.recognition = {
  title: "Remerciement",
  copy: "Copier le lien",
  copied: "Lien copié",
  notCopied: "Copiez l’adresse de la barre d’adresse.",
  share: "Partager",
  toFeed: "Tous les remerciements",
  notFound: "Remerciement introuvable",
  notFoundText: "Il est peut-être privé, ou le lien est incomplet.",
}
