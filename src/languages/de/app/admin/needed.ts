import type * as en from "../../../en/app/admin/needed.ts"

export const needed: typeof en.needed = {
  anyDuty: "Dafür brauchst du eine Aufgabe",
  duty: "Dafür brauchst du die Aufgabe „{duty}“",
  superuser: "Das können nur Superuser öffnen",
  ask: "Superuser vergeben Aufgaben. Wende dich an {names}.",
  askSuperuser: "Wende dich an {names}.",
}
