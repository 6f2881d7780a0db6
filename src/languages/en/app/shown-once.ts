export const shownOnce = {
  lead: "It stays here until you close it and can't be looked up later.",
  copy: "Copy",
  copied: "Copied",
  close: "Close",
}
