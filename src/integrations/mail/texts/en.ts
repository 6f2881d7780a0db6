import { inEnglish } from "../../../support/counted.ts"
import { type AccountTexts, type MailTexts, monthIn, quoted, sumOf } from "./kinds.ts"

const points = (value: number) => inEnglish(value, "point", "points")
const times = (number: number) => (number === 1 ? "once" : inEnglish(number, "time", "times"))

export const en: MailTexts = {
  recognition: {
    thanks: ({ from, addedTo, value }) =>
      addedTo === null
        ? {
            subject: `${from} thanked you: ${points(value)}`,
            paragraphs: [`${from} thanked you and gave you ${points(value)}.`],
          }
        : {
            subject: `${from} added ${points(value)} for you`,
            paragraphs: [`${from} agrees with ${addedTo} and added ${points(value)} for you.`],
          },
    quoteTitle: ({ from, addedTo, value }) =>
      addedTo === null ? `${from}: ${points(value)}` : `${addedTo}, and ${points(value)} more from ${from}`,
    digest: ({ period, thanks }) => {
      const when = period === "day" ? "yesterday" : "last week"
      if (thanks.length === 0)
        return { subject: "Your week", paragraphs: ["Nobody thanked you last week. Why not thank someone yourself?"] }
      const sentence = `You were thanked ${times(thanks.length)} ${when}, with ${points(sumOf(thanks))}`
      return { subject: sentence, paragraphs: [`${sentence}.`] }
    },
    more: (number) => `And ${inEnglish(number, "more", "more")}.`,
    given: (number) =>
      number === 0 ? "You did not thank anybody last week." : `You thanked others ${times(number)} last week.`,
    toGive: (value) => `You have ${points(value)} to give.`,
    summary: ({ from, month, tags, overlooked }) => ({
      subject: `Recognition in ${monthIn("en", from)}`,
      paragraphs: [
        `In ${monthIn("en", from)}, ${inEnglish(month.senders, "person", "people")} thanked ${inEnglish(month.receivers, "person", "people")}: ${inEnglish(month.count, "time", "times")}, with ${points(month.value)}.`,
        ...(tags.length > 0
          ? [`Most used tags: ${tags.map(({ tag, count }) => `${tag} (${count})`).join(", ")}.`]
          : []),
        overlooked === 0
          ? "Everyone was thanked."
          : `${inEnglish(overlooked, "person was", "people were")} not thanked in that month.`,
      ],
    }),
    open: "See what people say",
    openInsights: "Open the insights",
    reason: (service) => `You get this mail from ${service}. You can change this in "My profile".`,
    unsubscribe: "Unsubscribe from these mails",
    unsubscribeQuestion: "Stop all mail about recognition?",
    unsubscribeButton: "Unsubscribe",
    unsubscribed: 'You will get no more mail about recognition. You can turn it on again in "My profile".',
    badLink: "This link is incomplete. Copy the whole link from the mail.",
  },
  redemption: {
    request: ({ name, username, rewardName, cost, comment }, url) => ({
      subject: `${name} asks for ${rewardName}`,
      text: `${name} (${username}) redeemed ${points(cost)} for ${rewardName}.
${quoted(comment)}
Fulfil or decline the request here:

${url}/admin/rewards
`,
    }),
    answer: ({ state, rewardName, cost, answer }, name, url) => {
      const [subject, words] =
        state === "fulfilled"
          ? [`Your reward: ${rewardName}`, `your request for ${rewardName} was fulfilled.`]
          : [
              `Your request for ${rewardName} was declined`,
              `your request for ${rewardName} was declined. You have your ${points(cost)} back.`,
            ]
      return {
        subject,
        text: `Hello ${name},

${words}
${quoted(answer)}
All your requests:

${url}/rewards
`,
      }
    },
  },
  factorNotice: {
    locale: "en-GB",
    subject: "Your second factor was changed",
    changes: {
      passkey_added: "A passkey was added to your account",
      totp_added: "An app for one-time codes was added to your account",
      passkey_removed: "A passkey was removed from your account",
      totp_removed: "An app for one-time codes was removed from your account",
      reset: "An administrator removed all second factors of your account",
    },
    text: ({ name, what, when, url }) => `Hello ${name},

${what} on ${when}.

If this was you, or you asked for it, there is nothing to do. If not, change your password now, check your second factors, and
tell an administrator:

${url}/me
`,
  },
}

/** Mail about accounts, which is in English only. */
export const accountTexts: AccountTexts = {
  reset: ({ service, url, minutes }) => ({
    subject: `Password reset for ${service}`,
    text: `Someone, hopefully you, asked to reset the password of your account at ${service}.
Open this link to choose a new one:

${url}

The link expires in ${minutes} ${minutes === 1 ? "minute" : "minutes"}.
If it was not you, ignore this mail: your password stays as it is.
`,
  }),
  invitation: ({ service, name, username, url, days }) => ({
    subject: `Your account at ${service}`,
    text: `Hello ${name},

You now have an account at ${service}. Your user name is ${username}.
Open this link to choose a password:

${url}

The link expires in ${days} days. After that, use "Forgot your password?" on the log-in page.
`,
  }),
  invitationToProvider: ({ service, name, username, url }) => ({
    subject: `Your account at ${service}`,
    text: `Hello ${name},

You now have an account at ${service}. Your user name is ${username}.
Log in here with the account of your company; you need no password of your own:

${url}
`,
  }),
}
