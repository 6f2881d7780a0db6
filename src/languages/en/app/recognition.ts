export const recognition = {
  title: "Recognition",
  copy: "Copy link",
  copied: "Link copied",
  notCopied: "Copy the address from the address bar.",
  share: "Share",
  toFeed: "All recognition",
  notFound: "Recognition not found",
  notFoundText: "It may be private, or the link may be incomplete.",
}
