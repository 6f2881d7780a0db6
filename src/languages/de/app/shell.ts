import type * as en from "../../en/app/shell.ts"

export const noScript: typeof en.noScript = "Diese Seite braucht JavaScript. Bitte schalte es für diese Adresse ein."

export const shell: typeof en.shell = {
  skip: "Zum Inhalt springen",
  navigation: "Haupt",
  home: "Start",
  people: "Personen",
  team: "Team",
  history: "Verlauf",
  leaderboard: "Rangliste",
  recap: "Rückblick",
  rewards: "Prämien",
  wall: "Wand",
  admin: "Verwaltung",
  me: "Mein Profil",
  account: "Konto",
  logOut: "Abmelden",
  stillLoggedIn: "Du bist noch angemeldet.",
  appearance: "Aussehen",
  light: "Hell",
  dark: "Dunkel",
  asDevice: "System",
  language: "Sprache",
}
