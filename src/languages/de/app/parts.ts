import type * as en from "../../en/app/parts.ts"

export const parts: typeof en.parts = {
  cancel: "Abbrechen",
  close: "Schließen",
  withoutPerson: "{name} entfernen",
  left: "noch {number} Zeichen",
  noneFound: "Niemand gefunden",
  found: { one: "# gefunden", other: "# gefunden" },
}

export const missing: typeof en.missing = {
  title: "Seite nicht gefunden",
  text: "Unter dieser Adresse gibt es keine Seite.",
  back: "Zum Start",
}

export const live: typeof en.live = {
  live: "Live",
  trying: "Verbindet",
  down: "Nicht live seit {time}",
}

export const failures: typeof en.failures = {
  unreachable: "Der Server ist nicht erreichbar. Versuche es gleich noch einmal.",
  broken:
    "Auf dem Server ging etwas schief. Versuche es noch einmal; wenn es so bleibt, sag es der Person, die sich um ihn kümmert.",
  screenTitle: "Nicht geladen",
  screen: "Diese Seite konnte nicht geladen werden.",
  screenWaits: "Sie lädt von selbst, sobald der Server erreichbar ist.",
  unloaded: "Der Server ist nicht erreichbar. Das lädt von selbst, sobald er es ist.",
  locked: "Deine Sitzung ist beendet. Das lädt, wenn du dich angemeldet hast.",
  part: "Das konnte nicht geladen werden. Lade die Seite neu, wenn der Server erreichbar ist.",
  retry: "Noch einmal versuchen",
  wait: "Versuche es in {time} noch einmal.",
}
