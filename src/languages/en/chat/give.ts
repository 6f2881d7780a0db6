/** What Slack and Mattermost answer to `/give`, and its form. `{chat}` is the name of the chat. */
export const giveTexts = {
  usage: "Write `/give @ada 25 for the review #care`: a person, the {units}, and if you like a reason and tags.",
  sending: "Sending…",
  sent: "You gave {name} {points}. You have {left} left to give.",
  noAddress: "{chat} knows no confirmed e-mail address of yours. Confirm it in your {chat} profile, then try again.",
  unknownSender:
    "Nobody here has the e-mail address {email} of your {chat} profile. Ask an administrator to enter it in your account.",
  unknownReceiver: "{name} has no account here. Choose somebody from the list that {chat} shows after @.",
  tooLittle: "You have {left} to give. Give less, or wait for your next allowance.",
  noTags: "There are no tags here. Leave them out.",
  unknownTag: "Choose among these tags: {tags}",
  badValue: "Give a whole number of {units}, at least 1.",
  refused: "Nothing was sent: {why}",
  notSetUp: "Nothing was sent: this app is not set up completely. Tell an administrator to run `rewards doctor`.",
  noDialog: "The form could not be opened. Try again, or write `/give @ada 25 for the review`.",
  dialog: {
    title: "Give {units}",
    send: "Give",
    cancel: "Cancel",
    to: "To",
    value: "{Units}",
    reason: "For what",
    tags: "Tags",
  },
}
