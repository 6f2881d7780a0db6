import type * as en from "../../en/mail/rewards.ts"

export const rewardMail: typeof en.rewardMail = {
  request: {
    subject: "{name} möchte: {reward}",
    button: "Anfrage öffnen",
    text: `{name} ({username}) hat {points} für {reward} eingelöst.
{quote}
Erfülle die Anfrage oder lehne sie ab:

{url}
`,
  },
  fulfilled: {
    subject: "Deine Prämie: {reward}",
    button: "Meine Anfragen zeigen",
    text: `Hallo {name},

deine Anfrage „{reward}“ wurde erfüllt.
{quote}
Alle deine Anfragen:

{url}
`,
  },
  declined: {
    subject: "Deine Anfrage wurde abgelehnt: {reward}",
    button: "Meine Anfragen zeigen",
    text: `Hallo {name},

deine Anfrage „{reward}“ wurde abgelehnt. Du hast {points} zurückbekommen.
{quote}
Alle deine Anfragen:

{url}
`,
  },
}
