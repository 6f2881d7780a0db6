import type * as en from "../../../en/app/admin/departments.ts"

export const departments: typeof en.departments = {
  title: "Abteilungen",
  adminLead: "Abteilungen umbenennen oder zusammenlegen",
  lead: "Eine Abteilung gibt es, solange jemand in ihr ist. Ein neuer Name gilt für alle in ihr und für ihre Kontingente. Hat eine andere Abteilung den Namen schon, werden beide zusammengelegt.",
  superusers: "Superuser",
  own: "deine eigene: ein Superuser benennt sie um",
  left: "Alle aus ihr sind gegangen",
  rename: "Umbenennen",
  renameTitle: "{name} umbenennen",
  newName: "Neuer Name",
  missing: "Gib einen Namen ein.",
  same: "So heißt sie schon.",
  next: "Weiter",
  moves: {
    one: "# Person wechselt von {from} zu {to}.",
    other: "# Personen wechseln von {from} zu {to}.",
  },
  movesLeft: "Alle aus {from} sind gegangen. Ihre Konten wechseln zu {to}.",
  follows: {
    one: "# Kontingent für {from} gilt dann für alle in {to}.",
    other: "# Kontingente für {from} gelten dann für alle in {to}.",
  },
  joins: {
    one: "{to} gibt es schon, mit # Person. Danach lassen sich die beiden nicht mehr unterscheiden. Das lässt sich nicht rückgängig machen.",
    other:
      "{to} gibt es schon, mit # Personen. Danach lassen sich die beiden nicht mehr unterscheiden. Das lässt sich nicht rückgängig machen.",
  },
  joinsLeft:
    "{to} gibt es schon; alle aus ihr sind gegangen. Danach lassen sich die beiden nicht mehr unterscheiden. Das lässt sich nicht rückgängig machen.",
  merge: "Zusammenlegen",
  done: { one: "# Person ist zu {to} gewechselt.", other: "# Personen sind zu {to} gewechselt." },
  doneLeft: "Der Name ist jetzt {to}.",
}
