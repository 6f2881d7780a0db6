import { managementDept } from "../domain/auth/roles.ts"

/** Somebody with an account, or who will get one during the year. */
export interface Member {
  readonly name: string
  readonly username: string
  readonly email: string
  readonly dept: string
  readonly bio: string | null
}

/** The password of everybody but `admin`. */
export const password = "thanks a lot"

/** Accounts to look around with, and what each can see. */
export const logIns: readonly { readonly username: string; readonly role: string }[] = [
  { username: "ana-souza", role: "in support" },
  { username: "bruno-lima", role: "in engineering" },
  { username: "carla-mendes", role: "a superuser" },
]

export const tags = ["teamwork", "courage", "care", "craft", "customers"]

const bios: Readonly<Record<string, string>> = {
  "Ana Souza": "Answers what customers ask, and writes down what they should not have to.",
  "Bruno Lima": "Invoices, payments, and the old report nobody dares to touch.\nCycles to work, even in July.",
  "Carla Mendes": "People and culture. Ask me about anything that has no form.",
  "Hiroshi Abe": "Draws icons. Sixteen pixels are plenty.",
  "Priya Menon": "Three time zones, one phone.",
}

/** Who is there when the year begins. */
export const members: readonly Member[] = [
  ...department(managementDept, ["Carla Mendes", "Thomas Adler", "Ruth Okafor", "Paulo Viana"]),
  ...department("engineering", [
    "Bruno Lima",
    "Elena Petrova",
    "Henrik Dahl",
    "Kenji Mori",
    "Sofia Ricci",
    "Nikhil Rao",
    "Agnieszka Nowak",
    "Felipe Castro",
    "Hannah Weiss",
    "Omar Haddad",
    "Júlia Barros",
    "Viktor Lund",
    "Mei Tanaka",
    "Rafael Pinto",
    "Clara Jensen",
    "Daniel Kovács",
    "Isabel Nunes",
    "Samuel Boateng",
    "Yara Nasser",
    "Luis Herrera",
  ]),
  ...department("sales", [
    "Diego Ramos",
    "João Araújo",
    "Mariana Prado",
    "Emma Fischer",
    "Tiago Moura",
    "Priya Menon",
    "Lars Berg",
    "Camila Duarte",
    "Antoine Girard",
    "Beatriz Rocha",
    "Noah Schmidt",
    "Amara Diallo",
    "Pedro Salgado",
    "Chiara Conti",
  ]),
  ...department("support", [
    "Ana Souza",
    "Fatima al-Sayed",
    "Lucía Vega",
    "Zoë Quinn",
    "Marek Zielinski",
    "Helena Costa",
    "Joseph Mwangi",
    "Ingrid Holm",
    "Renata Farias",
    "Gustavo Leite",
    "Aisha Bello",
    "Stefan Popescu",
    "Letícia Campos",
    "Hugo Martin",
  ]),
  ...department("design", [
    "Inês Duarte",
    "Matteo Greco",
    "Saskia de Vries",
    "Caio Teixeira",
    "Nora Lindqvist",
    "Hiroshi Abe",
    "Vera Antunes",
    "Leon Braun",
  ]),
]

/** Who comes during the year, in this order. */
export const newcomers: readonly Member[] = [
  ...department("engineering", ["Mateus Freitas", "Linnea Strand"]),
  ...department("sales", ["Olivia Grant", "Rodrigo Peixoto"]),
  ...department("support", ["Tomás Rivera"]),
  ...department("design", ["Karin Vogel"]),
]

function department(dept: string, names: readonly string[]): Member[] {
  return names.map((name) => {
    const username = name
      .normalize("NFD")
      .replace(/\p{Mn}/gu, "")
      .toLowerCase()
      .replaceAll(" ", "-")
    return { name, username, email: `${username}@example.com`, dept, bio: bios[name] ?? null }
  })
}
