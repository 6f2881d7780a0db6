import type * as en from "../../en/mail/recognition.ts"

export const recognitionMail: typeof en.recognitionMail = {
  thanks: { subject: "{from} dankt dir: {points}", text: "{from} dankt dir und hat dir {points} gegeben." },
  added: {
    subject: "{from} hat {points} für dich dazugegeben",
    text: "{from} schließt sich {first} an und hat {points} für dich dazugegeben.",
    title: "{first}, und {points} mehr von {from}",
  },
  push: { thanked: "{from} dankt dir", added: "{from} hat {units} für dich dazugegeben" },
  digest: {
    day: { one: "Dir wurde gestern einmal gedankt ({points})", other: "Dir wurde gestern #-mal gedankt ({points})" },
    week: {
      one: "Dir wurde letzte Woche einmal gedankt ({points})",
      other: "Dir wurde letzte Woche #-mal gedankt ({points})",
    },
    nobodySubject: "Deine Woche",
    nobody: "Letzte Woche hat dir niemand gedankt. Wie wäre es, wenn du selbst jemandem dankst?",
    more: { one: "Und # weitere.", other: "Und # weitere." },
    given: {
      one: "Du hast letzte Woche einmal jemandem gedankt.",
      other: "Du hast letzte Woche #-mal jemandem gedankt.",
    },
    givenNone: "Du hast letzte Woche niemandem gedankt.",
    toGive: "Du hast {points} zu geben.",
  },
  summary: {
    subject: "Anerkennung im {month}",
    text: "Im {month} haben {senders} {receivers} gedankt: {times}, {points}.",
    senders: { one: "# Person", other: "# Personen" },
    receivers: { one: "# Person", other: "# Personen" },
    times: { one: "#-mal", other: "#-mal" },
    tags: "Häufigste Schlagwörter: {tags}.",
    everybody: "Allen wurde gedankt.",
    overlooked: {
      one: "# Person wurde in diesem Monat nicht gedankt.",
      other: "# Personen wurde in diesem Monat nicht gedankt.",
    },
  },
  recap: {
    subjects: [
      "Dein erstes Quartal {year}",
      "Dein zweites Quartal {year}",
      "Dein drittes Quartal {year}",
      "Dein viertes Quartal {year}",
    ],
    received: {
      one: "In diesen drei Monaten wurde dir einmal gedankt, von {people} ({points}).",
      other: "In diesen drei Monaten wurde dir #-mal gedankt, von {people} ({points}).",
    },
    people: { one: "# Person", other: "# Personen" },
    receivedNone: "In diesen drei Monaten hat dir niemand gedankt.",
    given: { one: "Du hast einmal jemandem gedankt.", other: "Du hast #-mal jemandem gedankt." },
    givenNone: "Du hast niemandem gedankt.",
    open: "Alles auf einer Seite ansehen",
  },
  team: {
    subject: {
      one: "# Person aus deinem Team wurde 30 Tage lang nicht gedankt",
      other: "# Personen aus deinem Team wurde 30 Tage lang nicht gedankt",
    },
    text: "Seit 30 Tagen oder länger hat niemand gedankt:",
    last: "Zuletzt gedankt am {day}.",
    never: "Noch nie gedankt.",
  },
  newcomer: {
    subject: "{name} ist seit drei Wochen hier",
    text: "{name} hat am {day} angefangen.",
    thanked: {
      one: "Seitdem wurde {name} einmal gedankt.",
      other: "Seitdem wurde {name} #-mal gedankt.",
    },
    nobody: "Noch niemand hat {name} gedankt. Du kannst die erste Person sein.",
  },
  open: "Lesen, was die Leute sagen",
  openTeam: "Dein Team öffnen",
  openInsights: "Die Auswertung öffnen",
  whyRecognition: "Diese E-Mail kommt von {service}. Unter „Mein Profil“ kannst du das ändern.",
  unsubscribe: "Diese E-Mails abbestellen",
  unsubscribeQuestion: "Keine E-Mails über Anerkennung mehr bekommen?",
  unsubscribeButton: "Abbestellen",
  unsubscribed:
    "Du bekommst keine E-Mails über Anerkennung mehr. Unter „Mein Profil“ kannst du sie wieder einschalten.",
  badLink: "Dieser Link ist unvollständig. Kopiere den ganzen Link aus der E-Mail.",
}
