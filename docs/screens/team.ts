/** Somebody of the team that the pictures show. */
export interface Member {
  readonly name: string
  readonly username: string
  readonly dept: string
  readonly bio: string | null
}

/** The one whose screens are shown, and who looks after the server. */
export const ana = member(
  "Ana Souza",
  "support",
  "Answers what customers ask, and writes down what they should not have to.",
)
export const carla = member("Carla Mendes", "management", "People and culture. Ask me about anything that has no form.")

export const team: readonly Member[] = [
  ana,
  member(
    "Bruno Lima",
    "engineering",
    "Invoices, payments, and the old report nobody dares to touch.\nCycles to work, even in July.",
  ),
  carla,
  member("Diego Ramos", "sales"),
  member("Elena Petrova", "engineering"),
  member("Fatima al-Sayed", "support"),
  member("Henrik Dahl", "engineering"),
  member("Inês Duarte", "design"),
  member("João Araújo", "sales"),
  member("Kenji Mori", "engineering"),
  member("Lucía Vega", "support"),
  member("Mariana Prado", "sales"),
  member("Søren Øst", "design"),
  member("Zoë Quinn", "support"),
]

/** Those who report to Carla. */
export const reports: readonly Member[] = team.filter(({ name }) => /^(?:Bruno|Elena|Henrik|Inês|Kenji)/.test(name))

export const passwordOf = ({ username }: Pick<Member, "username">): string => `${username} comes in`

export const tags = ["teamwork", "courage", "care"]
export const tagsInPortuguese = ["equipe", "coragem", "cuidado"]

function member(name: string, dept: string, bio: string | null = null): Member {
  const plain = name
    .replace("Ø", "O")
    .replaceAll("ø", "o")
    .normalize("NFD")
    .replace(/\p{Mn}/gu, "")
  return { name, username: plain.toLowerCase().replaceAll(" ", "-"), dept, bio }
}
