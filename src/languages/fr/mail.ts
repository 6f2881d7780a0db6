import type { MailTexts } from "../en/mail.ts"

export const mailTexts: MailTexts = {
  points: { one: "# {unit}", other: "# {units}" },

  thanks: { subject: "{from} vous remercie : {points}", text: "{from} vous remercie et vous a donné {points}." },
  added: {
    subject: "{from} a ajouté {points} pour vous",
    text: "{from} est d’accord avec {first} et a ajouté {points} pour vous.",
    title: "{first}, et {points} de plus de {from}",
  },
  push: { thanked: "{from} vous remercie", added: "{from} a ajouté des {units} pour vous" },
  digest: {
    day: {
      one: "On vous a remercié une fois hier, avec {points}",
      other: "On vous a remercié # fois hier, avec {points}",
    },
    week: {
      one: "On vous a remercié une fois la semaine dernière, avec {points}",
      other: "On vous a remercié # fois la semaine dernière, avec {points}",
    },
    nobodySubject: "Votre semaine",
    nobody: "Personne ne vous a remercié la semaine dernière. Et si vous remerciiez quelqu’un ?",
    more: { one: "Et # de plus.", other: "Et # de plus." },
    given: {
      one: "Vous avez remercié une fois la semaine dernière.",
      other: "Vous avez remercié # fois la semaine dernière.",
    },
    givenNone: "Vous n’avez remercié personne la semaine dernière.",
    toGive: "Vous avez {points} à donner.",
  },
  summary: {
    subject: "Les remerciements de {month}",
    text: "En {month}, {senders} {receivers} : {times}, avec {points}.",
    senders: { one: "# personne a remercié", other: "# personnes ont remercié" },
    receivers: { one: "# personne", other: "# personnes" },
    times: { one: "# fois", other: "# fois" },
    tags: "Étiquettes les plus utilisées : {tags}.",
    everybody: "Tout le monde a été remercié.",
    overlooked: {
      one: "# personne n’a pas été remerciée ce mois-là.",
      other: "# personnes n’ont pas été remerciées ce mois-là.",
    },
  },
  recap: {
    subjects: [
      "Votre premier trimestre {year}",
      "Votre deuxième trimestre {year}",
      "Votre troisième trimestre {year}",
      "Votre quatrième trimestre {year}",
    ],
    received: {
      one: "Pendant ces trois mois, on vous a remercié une fois, avec {points}, de la part de {people}.",
      other: "Pendant ces trois mois, on vous a remercié # fois, avec {points}, de la part de {people}.",
    },
    people: { one: "# personne", other: "# personnes" },
    receivedNone: "Pendant ces trois mois, personne ne vous a remercié.",
    given: { one: "Vous avez remercié une fois.", other: "Vous avez remercié # fois." },
    givenNone: "Vous n’avez remercié personne.",
    open: "Tout voir sur une page",
  },
  team: {
    subject: {
      one: "# personne de votre équipe n’a pas été remerciée depuis 30 jours",
      other: "# personnes de votre équipe n’ont pas été remerciées depuis 30 jours",
    },
    text: "Depuis 30 jours ou plus, personne n’a remercié :",
    last: "Dernier remerciement : {day}.",
    never: "Pas encore de remerciement.",
  },
  newcomer: {
    subject: "{name} est là depuis trois semaines",
    text: "{name} a commencé le {day}.",
    thanked: {
      one: "Depuis, on a remercié {name} une fois.",
      other: "Depuis, on a remercié {name} # fois.",
    },
    nobody: "Personne n’a encore remercié {name}. Vous pouvez être la première personne.",
  },
  open: "Voir ce que les gens disent",
  openTeam: "Ouvrir votre équipe",
  openInsights: "Ouvrir l’analyse",
  why: "Vous recevez cet e-mail de {service}. Vous pouvez changer cela dans « Mon profil ».",
  unsubscribe: "Ne plus recevoir ces e-mails",
  unsubscribeQuestion: "Ne plus recevoir d’e-mails sur les remerciements ?",
  unsubscribeButton: "Ne plus en recevoir",
  unsubscribed: "Vous ne recevrez plus d’e-mails sur les remerciements. Vous pouvez les réactiver dans « Mon profil ».",
  badLink: "Ce lien est incomplet. Copiez le lien entier de l’e-mail.",

  request: {
    subject: "{name} demande : {reward}",
    text: `{name} ({username}) a échangé {points} contre {reward}.
{quote}
Acceptez ou refusez la demande ici :

{url}
`,
  },
  fulfilled: {
    subject: "Votre récompense : {reward}",
    text: `Bonjour {name},

votre demande de {reward} a été satisfaite.
{quote}
Toutes vos demandes :

{url}
`,
  },
  declined: {
    subject: "Votre demande de {reward} a été refusée",
    text: `Bonjour {name},

votre demande de {reward} a été refusée. Vous avez récupéré {points}.
{quote}
Toutes vos demandes :

{url}
`,
  },

  secondFactor: {
    subject: "Votre second facteur a changé",
    passkey_added: "Une clé d’accès a été ajoutée à votre compte",
    totp_added: "Une application de codes a été ajoutée à votre compte",
    passkey_removed: "Une clé d’accès a été retirée de votre compte",
    totp_removed: "Une application de codes a été retirée de votre compte",
    reset: "Un administrateur a retiré tous les seconds facteurs de votre compte",
    text: `Bonjour {name},

{what} : {when}.

Si c’était vous, ou si vous l’avez demandé, il n’y a rien à faire. Sinon, changez tout de suite votre mot de passe, vérifiez vos
seconds facteurs et prévenez un administrateur :

{url}
`,
  },

  reset: {
    subject: "Nouveau mot de passe pour {service}",
    text: `Quelqu’un, vous sans doute, a demandé à réinitialiser le mot de passe de votre compte chez {service}.
Ouvrez ce lien pour en choisir un nouveau :

{url}

Le lien expire dans {minutes}.
Si ce n’était pas vous, ignorez cet e-mail : votre mot de passe ne change pas.
`,
    minutes: { one: "# minute", other: "# minutes" },
  },
  invitation: {
    subject: "Votre compte chez {service}",
    text: `Bonjour {name},

Vous avez maintenant un compte chez {service}. Votre nom d’utilisateur est {username}.
Ouvrez ce lien pour choisir un mot de passe :

{url}

Le lien expire dans {days}. Ensuite, utilisez « Mot de passe oublié ? » sur la page de connexion.
`,
    days: { one: "# jour", other: "# jours" },
  },
  invitationToProvider: {
    subject: "Votre compte chez {service}",
    text: `Bonjour {name},

Vous avez maintenant un compte chez {service}. Votre nom d’utilisateur est {username}.
Connectez-vous ici avec le compte de votre entreprise ; vous n’avez pas besoin d’un mot de passe à vous :

{url}
`,
  },
}
