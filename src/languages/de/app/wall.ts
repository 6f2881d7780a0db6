import type * as en from "../../en/app/wall.ts"

export const wall: typeof en.wall = {
  title: "Wand",
  from: "von",
  empty: "Noch keine Anerkennung",
  invitation: "Danke jemandem auf {address}, dann erscheint es hier.",
  qrCode: "QR-Code dieser App",
  week: "Diese Woche",
  weekEmpty: "Noch kein Dank. Wer hat dir geholfen?",
  thanks: { one: "# Dank", other: "# Mal Dank" },
  keyMissing: "Diese Wand braucht ihren Schlüssel",
  keyEnded: "Der Schlüssel dieser Wand gilt nicht mehr",
  keyHow:
    "Bitte die Person, die den Server betreibt, um den Link der Wand mit dem Schlüssel aus der Einstellung stream.wall_key, und öffne ihn hier einmal:",
  logIn: "Oder melde dich an",
  fullScreen: "Vollbild",
  leaveFullScreen: "Vollbild beenden",
  back: "Zurück",
}
