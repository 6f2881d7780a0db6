import type * as en from "../../en/app/shell.ts"

export const noScript: typeof en.noScript = "Cette page a besoin de JavaScript. Activez-le pour cette adresse."

export const shell: typeof en.shell = {
  skip: "Aller au contenu",
  navigation: "Principale",
  home: "Accueil",
  people: "Personnes",
  team: "Mon équipe",
  history: "Historique",
  leaderboard: "Classement",
  recap: "Rétrospective",
  rewards: "Récompenses",
  wall: "Mur",
  admin: "Gestion",
  me: "Mon profil",
  account: "Compte",
  logOut: "Se déconnecter",
  stillLoggedIn: "Votre session est toujours ouverte.",
  appearance: "Apparence",
  light: "Clair",
  dark: "Sombre",
  asDevice: "Système",
  language: "Langue",
}
