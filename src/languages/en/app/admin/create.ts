export const creation = {
  inviteText: "An e-mail brings a link to choose a password.",
  invited: "{name} gets an e-mail with a link to choose a password.",
  password: "Initial password",
  createSubmit: "Create",
  created: "{name} can now log in.",
}
