import type { Plural } from "../../writing.ts"

export const received = {
  arrived: "{from} gave you {points}",
  together: "together with {names}",
  more: { one: "and # more", other: "and # more" } as Plural,
  count: "({count} new)",
  dismiss: "Dismiss",
  thankBack: "Say thanks back",
  sinceLastVisit: "Since your last visit",
  newReplies: "New replies",
  newForYou: "New for you",
  replied: "{from} replied: {text}",
  added: "{from} added {points} for you",
  notify: "Notify me on this device",
  notifyText: "When you receive {units} while you are elsewhere.",
  notPermitted: "Your browser shows no notifications of this site. Its settings may allow them.",
}
