import type { Plural } from "../../writing.ts"

/** About recognition, the team and the programme; `push` on devices. */
export const recognitionMail = {
  thanks: { subject: "{from} thanked you: {points}", text: "{from} thanked you and gave you {points}." },
  /** `{first}` is the sender of the recognition to which somebody added points. */
  added: {
    subject: "{from} added {points} for you",
    text: "{from} agrees with {first} and added {points} for you.",
    title: "{first}, and {points} more from {from}",
  },
  /** On a device, about a private reason, which a locked screen must not show. */
  push: { thanked: "{from} thanked you", added: "{from} added {units} for you" },
  digest: {
    day: {
      one: "You were thanked once yesterday, with {points}",
      other: "You were thanked # times yesterday, with {points}",
    } as Plural,
    week: {
      one: "You were thanked once last week, with {points}",
      other: "You were thanked # times last week, with {points}",
    } as Plural,
    nobodySubject: "Your week",
    nobody: "Nobody thanked you last week. Why not thank someone yourself?",
    more: { one: "And # more.", other: "And # more." } as Plural,
    given: { one: "You thanked others once last week.", other: "You thanked others # times last week." } as Plural,
    givenNone: "You did not thank anybody last week.",
    toGive: "You have {points} to give.",
  },
  summary: {
    subject: "Recognition in {month}",
    text: "In {month}, {senders} {receivers}: {times}, with {points}.",
    senders: { one: "# person thanked", other: "# people thanked" } as Plural,
    receivers: { one: "# person", other: "# people" } as Plural,
    times: { one: "# time", other: "# times" } as Plural,
    tags: "Most used tags: {tags}.",
    everybody: "Everyone was thanked.",
    overlooked: {
      one: "# person was not thanked in that month.",
      other: "# people were not thanked in that month.",
    } as Plural,
  },
  /** At the end of a quarter. */
  recap: {
    subjects: [
      "Your first quarter of {year}",
      "Your second quarter of {year}",
      "Your third quarter of {year}",
      "Your fourth quarter of {year}",
    ],
    received: {
      one: "In these three months you were thanked once, by {people}, with {points}.",
      other: "In these three months you were thanked # times, by {people}, with {points}.",
    } as Plural,
    people: { one: "# person", other: "# people" } as Plural,
    receivedNone: "In these three months nobody thanked you.",
    given: { one: "You thanked others once.", other: "You thanked others # times." } as Plural,
    givenNone: "You did not thank anybody.",
    open: "See it all on one page",
  },
  /** To a manager, about the team. */
  team: {
    subject: {
      one: "# person of your team was not thanked for 30 days",
      other: "# people of your team were not thanked for 30 days",
    } as Plural,
    text: "For 30 days or longer, nobody has thanked:",
    last: "Last thanked on {day}.",
    never: "Not thanked yet.",
  },
  /** To the manager of somebody who began three weeks ago. */
  newcomer: {
    subject: "{name} has been here for three weeks",
    text: "{name} began on {day}.",
    thanked: {
      one: "Since then, colleagues have thanked {name} once.",
      other: "Since then, colleagues have thanked {name} # times.",
    } as Plural,
    nobody: "Nobody has thanked {name} yet. You can be the first.",
  },
  open: "See what people say",
  openTeam: "Open your team",
  openInsights: "Open the insights",
  whyRecognition: 'You get this mail from {service}. You can change this in "My profile".',
  unsubscribe: "Unsubscribe from these mails",
  unsubscribeQuestion: "Stop all mail about recognition?",
  unsubscribeButton: "Unsubscribe",
  unsubscribed: 'You will get no more mail about recognition. You can turn it on again in "My profile".',
  badLink: "This link is incomplete. Copy the whole link from the mail.",
}
