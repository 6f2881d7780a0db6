import type * as en from "../../en/app/shell.ts"

export const noScript: typeof en.noScript = "Esta página necesita JavaScript. Actívalo para esta dirección."

export const shell: typeof en.shell = {
  skip: "Ir al contenido",
  navigation: "Principal",
  home: "Inicio",
  people: "Personas",
  team: "Mi equipo",
  history: "Historial",
  leaderboard: "Clasificación",
  recap: "Mirada atrás",
  rewards: "Premios",
  wall: "Muro",
  admin: "Administración",
  me: "Mi perfil",
  account: "Cuenta",
  logOut: "Cerrar sesión",
  stillLoggedIn: "La sesión sigue abierta.",
  appearance: "Aspecto",
  light: "Claro",
  dark: "Oscuro",
  asDevice: "Sistema",
  language: "Idioma",
}
