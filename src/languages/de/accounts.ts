import type { AccountsTexts } from "../en/accounts.ts"

const leaving: AccountsTexts["leaving"] = {
  title: "Wenn diese Person geht",
  lead: "Ein deaktiviertes Konto kann nicht mehr benutzt werden. Du kannst es wieder aktivieren oder löschen, was über die Person gespeichert ist.",
  leadWithoutErasure: "Ein deaktiviertes Konto kann nicht mehr benutzt werden. Du kannst es wieder aktivieren.",
  titleInactive: "Dieses Konto ist deaktiviert",
  leadInactive: "Niemand kann sich damit anmelden, und in Listen und Ranglisten fehlt es. Sein Verlauf bleibt.",
  isErased: "Dieses Konto wurde gelöscht. Nur seine Transaktionen sind noch da, unter diesem Platzhalter.",
  deactivatedSince: "Deaktiviert",
  deactivate: "Deaktivieren",
  deactivateTitle: "{name} deaktivieren?",
  endsAccess: "Alle Sitzungen enden sofort, und eine Anmeldung ist nicht mehr möglich.",
  leavesLists: "Das Konto verschwindet aus Suche, Listen und laufenden Ranglisten und bekommt keine E-Mails.",
  keepsHistory: "Der Verlauf bleibt, und du kannst das Konto später wieder aktivieren.",
  returnLeft: "Die übrigen {points} an Admin zurückgeben",
  returnLeftLead:
    "Im Verlauf steht das als Rückgabe. Wird das Konto wieder aktiviert, kommen die {units} nicht zurück.",
  keepLeftLead: "Sonst bleiben sie im Konto, und niemand kann sie benutzen, solange es deaktiviert ist.",
  deactivated: "{name} ist deaktiviert.",
  deactivatedReturned: "{name} ist deaktiviert. Was übrig war, ist an Admin zurückgegangen.",
  reactivate: "Wieder aktivieren",
  reactivateTitle: "{name} wieder aktivieren?",
  reactivateLead: "Die Anmeldung geht wieder, mit dem Passwort von vorher. Frühere Sitzungen bleiben beendet.",
  reactivated: "{name} kann sich wieder anmelden.",
  returnPoints: "{Units} zurückgeben",
  returnTitle: "{points} an Admin zurückgeben?",
  returned: "{points} von {name} sind an Admin zurückgegangen.",
  erase: "Löschen",
  eraseTitle: "{name} löschen?",
  erasesIdentity:
    "Name, Benutzername und E-Mail-Adresse werden überall durch einen Platzhalter ersetzt („Former colleague“).",
  erasesProfile:
    "Bild, Text über sich, Geburtstag, erster Tag und Sitzungen werden gelöscht, auch die IP-Adressen früherer Anmeldungen.",
  keepsTransactions: "Transaktionen bleiben, unter dem Platzhalter.",
  keepsPoints: "Transaktionen bleiben, unter dem Platzhalter, ebenso die übrigen {points}.",
  reasons: "Begründungen und Antworten",
  reasonsOf: {
    none: "Alle behalten",
    written: "Löschen, was {name} geschrieben hat",
    all: "Auch löschen, wofür andere {name} gedankt haben",
  },
  eraseFinal: "Das lässt sich nicht rückgängig machen. Frühere Sicherungen enthalten noch alles.",
  typeUsername: "Gib zur Bestätigung den Benutzernamen ein: {username}",
  wrongUsername: "Gib „{username}“ ein.",
  eraseConfirm: "Endgültig löschen",
  erased: "{name} ist gelöscht.",
}

export const accountsTexts: AccountsTexts = {
  leaving,
}
