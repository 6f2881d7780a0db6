import type * as en from "../../en/mail/rewards.ts"

export const rewardMail: typeof en.rewardMail = {
  request: {
    subject: "{name} demande : {reward}",
    button: "Ouvrir la demande",
    text: `{name} ({username}) a échangé {points} contre {reward}.
{quote}
Acceptez ou refusez la demande ici :

{url}
`,
  },
  fulfilled: {
    subject: "Votre récompense : {reward}",
    button: "Voir mes demandes",
    text: `Bonjour {name},

votre demande de {reward} a été satisfaite.
{quote}
Toutes vos demandes :

{url}
`,
  },
  declined: {
    subject: "Votre demande de {reward} a été refusée",
    button: "Voir mes demandes",
    text: `Bonjour {name},

votre demande de {reward} a été refusée. Vous avez récupéré {points}.
{quote}
Toutes vos demandes :

{url}
`,
  },
}
