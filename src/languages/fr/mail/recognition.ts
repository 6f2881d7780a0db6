import type * as en from "../../en/mail/recognition.ts"

export const recognitionMail: typeof en.recognitionMail = {
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
  whyRecognition: "Vous recevez cet e-mail de {service}. Vous pouvez changer cela dans « Mon profil ».",
  unsubscribe: "Ne plus recevoir ces e-mails",
  unsubscribeQuestion: "Ne plus recevoir d’e-mails sur les remerciements ?",
  unsubscribeButton: "Ne plus en recevoir",
  unsubscribed: "Vous ne recevrez plus d’e-mails sur les remerciements. Vous pouvez les réactiver dans « Mon profil ».",
  badLink: "Ce lien est incomplet. Copiez le lien entier de l’e-mail.",
}
