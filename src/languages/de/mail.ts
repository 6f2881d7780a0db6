import type { MailTexts } from "../en/mail.ts"

export const mailTexts: MailTexts = {
  points: { one: "# {unit}", other: "# {units}" },

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
  why: "Diese E-Mail kommt von {service}. Unter „Mein Profil“ kannst du das ändern.",
  unsubscribe: "Diese E-Mails abbestellen",
  unsubscribeQuestion: "Keine E-Mails über Anerkennung mehr bekommen?",
  unsubscribeButton: "Abbestellen",
  unsubscribed:
    "Du bekommst keine E-Mails über Anerkennung mehr. Unter „Mein Profil“ kannst du sie wieder einschalten.",
  badLink: "Dieser Link ist unvollständig. Kopiere den ganzen Link aus der E-Mail.",

  request: {
    subject: "{name} möchte: {reward}",
    text: `{name} ({username}) hat {points} für {reward} eingelöst.
{quote}
Erfülle die Anfrage oder lehne sie ab:

{url}
`,
  },
  fulfilled: {
    subject: "Deine Prämie: {reward}",
    text: `Hallo {name},

deine Anfrage „{reward}“ wurde erfüllt.
{quote}
Alle deine Anfragen:

{url}
`,
  },
  declined: {
    subject: "Deine Anfrage wurde abgelehnt: {reward}",
    text: `Hallo {name},

deine Anfrage „{reward}“ wurde abgelehnt. Du hast {points} zurückbekommen.
{quote}
Alle deine Anfragen:

{url}
`,
  },

  secondFactor: {
    subject: "Dein zweiter Faktor wurde geändert",
    passkey_added: "Zu deinem Konto wurde ein Passkey hinzugefügt",
    totp_added: "Zu deinem Konto wurde eine App für Einmalcodes hinzugefügt",
    passkey_removed: "Von deinem Konto wurde ein Passkey entfernt",
    totp_removed: "Von deinem Konto wurde eine App für Einmalcodes entfernt",
    reset: "Ein Administrator hat alle zweiten Faktoren deines Kontos entfernt",
    text: `Hallo {name},

{what}: {when}.

Wenn du das warst oder darum gebeten hast, brauchst du nichts zu tun. Wenn nicht, ändere jetzt dein Passwort, prüfe deine
zweiten Faktoren und sag einem Administrator Bescheid:

{url}
`,
  },

  reset: {
    subject: "Neues Passwort für {service}",
    text: `Jemand, hoffentlich du, möchte das Passwort deines Kontos bei {service} zurücksetzen.
Öffne diesen Link, um ein neues zu wählen:

{url}

Der Link gilt {minutes}.
Wenn du das nicht warst, ignoriere diese E-Mail: Dein Passwort bleibt, wie es ist.
`,
    minutes: { one: "# Minute", other: "# Minuten" },
  },
  invitation: {
    subject: "Dein Konto bei {service}",
    text: `Hallo {name},

du hast jetzt ein Konto bei {service}. Dein Benutzername ist {username}.
Öffne diesen Link, um ein Passwort zu wählen:

{url}

Der Link gilt {days}. Danach hilft „Passwort vergessen?“ auf der Anmeldeseite.
`,
    days: { one: "# Tag", other: "# Tage" },
  },
  invitationToProvider: {
    subject: "Dein Konto bei {service}",
    text: `Hallo {name},

du hast jetzt ein Konto bei {service}. Dein Benutzername ist {username}.
Melde dich hier mit dem Konto deiner Firma an; ein eigenes Passwort brauchst du nicht:

{url}
`,
  },
}
