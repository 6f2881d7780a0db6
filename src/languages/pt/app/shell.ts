import type * as en from "../../en/app/shell.ts"

export const noScript: typeof en.noScript = "Esta página precisa de JavaScript. Ative-o para este endereço."

export const shell: typeof en.shell = {
  skip: "Ir para o conteúdo",
  navigation: "Principal",
  home: "Início",
  people: "Pessoas",
  history: "Histórico",
  leaderboard: "Classificação",
  rewards: "Prêmios",
  team: "Equipe",
  recap: "Retrospectiva",
  wall: "Mural",
  admin: "Admin",
  me: "Meu perfil",
  account: "Conta",
  logOut: "Sair",
  stillLoggedIn: "Sua sessão continua aberta.",
  appearance: "Aparência",
  light: "Clara",
  dark: "Escura",
  asDevice: "Sistema",
  language: "Idioma",
}
