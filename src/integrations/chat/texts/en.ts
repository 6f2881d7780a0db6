import { details } from "../../../domain/languages/en/details.ts"
import { groupedEnglish, inEnglish } from "../../../support/counted.ts"
import { type ChatTexts, refusalIn } from "./texts.ts"

export const en: ChatTexts = {
  usage: "Write `/give @ada 25 for the review #care`: a person, the points, and if you like a reason and tags.",
  sending: "Sending…",
  sent: (value, name, balance) =>
    `You gave ${name} ${inEnglish(value, "point", "points")}. You have ${groupedEnglish(balance)} left to give.`,
  unknownSender: (chat, email) =>
    email === null
      ? `${chat} knows no confirmed e-mail address of yours. Confirm it in your ${chat} profile, then try again.`
      : `Nobody here has the e-mail address ${email} of your ${chat} profile. Ask an administrator to enter it in your account.`,
  unknownReceiver: (chat, name) =>
    `${name} has no account here. Choose somebody from the list that ${chat} shows after @.`,
  tooLittle: (balance) => `You have ${groupedEnglish(balance)} to give. Give less, or wait for your next allowance.`,
  unknownTag: (tags) =>
    tags.length === 0
      ? "There are no tags here. Leave them out."
      : `Choose among these tags: ${tags.map((tag) => `#${tag}`).join(" ")}`,
  badValue: "Give a whole number of points, at least 1.",
  refused: (error) => `Nothing was sent: ${refusalIn(details, error)}`,
  notSetUp: "Nothing was sent: this app is not set up completely. Tell an administrator to run `rewards doctor`.",
  noDialog: "The form could not be opened. Try again, or write `/give @ada 25 for the review`.",
  dialog: {
    title: "Give points",
    send: "Give",
    cancel: "Cancel",
    to: "To",
    value: "Points",
    reason: "For what",
    tags: "Tags",
  },
}
