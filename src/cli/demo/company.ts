import { type Duty, dutyNames } from "../../domain/people/model.ts"
import { managementDept } from "../../domain/people/roles.ts"
import { normalized } from "../../domain/text.ts"

/** Somebody with an account, or who will get one during the year. */
export interface Member {
  readonly name: string
  readonly username: string
  readonly email: string
  readonly dept: string
  readonly bio: string | null
  /** A username; null for the head of the company. */
  readonly manager: string | null
  readonly duties: readonly Duty[]
}

/** The password of everybody but `admin`. */
export const password = "thanks a lot"

/** Accounts to look around with, and what each can see. */
export const logIns: readonly { readonly username: string; readonly role: string }[] = [
  { username: "ana-souza", role: "in support" },
  { username: "bruno-lima", role: "who leads a team" },
  { username: "ruth-okafor", role: "with all duties" },
  { username: "carla-mendes", role: "a superuser" },
]

/** Who has a birthday at the end of the year, and how many days before it. */
export const lastBirthdays: Readonly<Record<string, number>> = { "ana-souza": 0, "hannah-weiss": 1 }

const duties: Readonly<Record<string, readonly Duty[]>> = { "Ruth Okafor": dutyNames }

const bios: Readonly<Record<string, string>> = {
  "Ana Souza": "Answers what customers ask, and writes down what they should not have to.",
  "Bruno Lima": "Invoices, payments, and the old report nobody dares to touch.\nCycles to work, even in July.",
  "Carla Mendes": "People and culture. Ask me about anything that has no form.",
  "Hiroshi Abe": "Draws icons. Sixteen pixels are plenty.",
  "Ruth Okafor": "Pay, papers, parties. If it is about working here, it is my desk.",
  "Priya Menon": "Three time zones, one phone.",
}

/** Somebody, or somebody with the people who report to them. */
type Branch = string | readonly [string, ...Branch[]]

/** Who is there when the year begins: managers before those who report to them. */
export const members: readonly Member[] = [
  ...department(managementDept, null, [["Thomas Adler", "Carla Mendes", "Paulo Viana"]]),
  ...department("people", "Carla Mendes", ["Ruth Okafor"]),
  ...department("engineering", "Thomas Adler", [
    [
      "Elena Petrova",
      ["Bruno Lima", "Kenji Mori", "Nikhil Rao", "Agnieszka Nowak", "Felipe Castro", "Júlia Barros"],
      ["Henrik Dahl", "Hannah Weiss", "Omar Haddad", "Viktor Lund", "Clara Jensen", "Samuel Boateng"],
      ["Sofia Ricci", "Mei Tanaka", "Rafael Pinto", "Daniel Kovács", "Isabel Nunes", "Yara Nasser", "Luis Herrera"],
    ],
  ]),
  ...department("sales", "Paulo Viana", [
    [
      "Mariana Prado",
      ["Diego Ramos", "João Araújo", "Tiago Moura", "Camila Duarte", "Beatriz Rocha", "Pedro Salgado"],
      ["Emma Fischer", "Priya Menon", "Lars Berg", "Antoine Girard", "Noah Schmidt", "Amara Diallo", "Chiara Conti"],
    ],
  ]),
  ...department("support", "Thomas Adler", [
    [
      "Helena Costa",
      ["Joseph Mwangi", "Ana Souza", "Lucía Vega", "Renata Farias", "Gustavo Leite", "Letícia Campos"],
      [
        "Ingrid Holm",
        "Fatima al-Sayed",
        "Zoë Quinn",
        "Marek Zielinski",
        "Aisha Bello",
        "Stefan Popescu",
        "Hugo Martin",
      ],
    ],
  ]),
  ...department("design", "Elena Petrova", [
    [
      "Matteo Greco",
      "Inês Duarte",
      "Saskia de Vries",
      "Caio Teixeira",
      "Nora Lindqvist",
      "Hiroshi Abe",
      "Vera Antunes",
      "Leon Braun",
    ],
  ]),
]

/** Who comes during the year, in this order. */
export const newcomers: readonly Member[] = [
  ...department("engineering", "Bruno Lima", ["Mateus Freitas"]),
  ...department("engineering", "Henrik Dahl", ["Linnea Strand"]),
  ...department("sales", "Emma Fischer", ["Olivia Grant"]),
  ...department("sales", "Diego Ramos", ["Rodrigo Peixoto"]),
  ...department("support", "Joseph Mwangi", ["Tomás Rivera"]),
  ...department("design", "Matteo Greco", ["Karin Vogel"]),
]

function department(dept: string, manager: string | null, branches: readonly Branch[]): Member[] {
  return branches.flatMap((branch) => {
    const [name, ...team] = typeof branch === "string" ? [branch] : branch
    return [member(name, dept, manager), ...department(dept, name, team)]
  })
}

function member(name: string, dept: string, manager: string | null): Member {
  const username = usernameOf(name)
  return {
    name,
    username,
    email: `${username}@example.com`,
    dept,
    bio: bios[name] ?? null,
    manager: manager === null ? null : usernameOf(manager),
    duties: duties[name] ?? [],
  }
}

function usernameOf(name: string): string {
  return normalized(name, "NFKD", 100)
    .replace(/\p{Mn}/gu, "")
    .toLowerCase()
    .replaceAll(" ", "-")
}
