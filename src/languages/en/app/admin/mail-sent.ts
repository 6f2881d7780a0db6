/** In a trial, where mail only goes to a file. */
export const mailSent = {
  nobody: "Mail is not set up, so nobody gets an e-mail.",
  links: "Mail is not set up: copy these links",
  linksLead: "Hand each link to its person. It sets a password, so nobody else should have it.",
}
