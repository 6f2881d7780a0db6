import { isLine, isLongerThan, normalized } from "../text.ts"

/** The fields of a user that an import sets, and whether the account is active. An export has the same columns. */
export const importColumns = [
  "username",
  "name",
  "email",
  "dept",
  "currency",
  "avatar",
  "bio",
  "birthday",
  "joined",
  "manager",
  "active",
] as const

export type ImportColumn = (typeof importColumns)[number]

/** The columns that say something about the person of the row alone. */
export type OwnColumn = Exclude<ImportColumn, "manager">
export const ownColumns = importColumns.filter((column): column is OwnColumn => column !== "manager")

export interface ImportRow {
  readonly row: number
  /** The given username, or the one derived from the name. */
  readonly username: string
  /** The cells that are not blank. */
  readonly cells: Partial<Readonly<Record<ImportColumn, string>>>
}

/** A column of a file: one that an import reads, one of an export that it ignores, or one that it refuses. */
type Column = ImportColumn | "balance" | "password"

/**
 * What spreadsheets and personnel systems call the columns, in English, Portuguese, Spanish, German and French, as
 * `keyOf` writes it. A word that means only a part, such as a first name, is in no list.
 */
const names: Readonly<Record<Column, string>> = {
  username:
    "username user login loginname usuario nomedeusuario nomeusuario nombredeusuario benutzername benutzer nutzername " +
    "anmeldename nomdutilisateur utilisateur identifiant",
  name:
    "name fullname displayname employeename nome nomecompleto nombre nombrecompleto nombreyapellidos vollstandigername " +
    "nom nomcomplet nometprenom prenometnom",
  email:
    "email emailaddress mail mailaddress workemail emailcorporativo enderecodeemail correioeletronico correo " +
    "correoelectronico direcciondecorreo direcciondecorreoelectronico emailadresse mailadresse courriel adresseemail " +
    "adressemail adresseelectronique",
  dept: "dept department departamento setor area abteilung departement service",
  currency: "currency moeda moneda divisa wahrung waehrung devise monnaie",
  avatar: "avatar picture photo image foto imagem imagen bild profilbild",
  bio: "bio biography about aboutme biografia sobre biografie ubermich uebermich biographie apropos",
  birthday:
    "birthday dateofbirth birthdate aniversario datadenascimento datadeaniversario cumpleanos fechadenacimiento " +
    "geburtstag geburtsdatum anniversaire datedenaissance",
  joined:
    "joined joindate joiningdate dateofjoining startdate hiredate hired entrada datadeentrada dataentrada admissao " +
    "datadeadmissao ingreso fechadeingreso incorporacion fechadealta eintritt eintrittsdatum entree datedentree " +
    "dateembauche datedembauche",
  manager:
    "manager manageremail managerusername linemanager supervisor supervisoremail boss reportsto gestor gestora chefe gerente " +
    "superior jefe jefa responsable supervisora vorgesetzter vorgesetzte fuhrungskraft fuehrungskraft manageur " +
    "responsablehierarchique superieurhierarchique",
  active: "active isactive ativo ativa activo activa aktiv actif",
  balance: "balance saldo kontostand solde",
  password: "password senha contrasena passwort kennwort motdepasse",
}

const columnOfKey: ReadonlyMap<string, Column> = new Map(
  (Object.keys(names) as Column[]).flatMap((column) => names[column].split(" ").map((key) => [key, column] as const)),
)

/** The words for `active`, as `keyOf` writes them. An export writes the first of each. */
const activeWords: ReadonlyMap<string, boolean> = new Map([
  ...["yes", "true", "1", "sim", "si", "ja", "oui"].map((word) => [word, true] as const),
  ...["no", "false", "0", "nao", "nein", "non"].map((word) => [word, false] as const),
])

const maxKey = 40

/** Letters and digits alone, in lower case and without accents: `E-Mail-Adresse` becomes `emailadresse`. */
const keyOf = (text: string): string =>
  normalized(text, "NFKD", maxKey)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "")

/** Undefined for any other word. */
export const activeIn = (cell: string): boolean | undefined => activeWords.get(keyOf(cell))

interface Header {
  /** By position; null for a column that the import ignores. */
  readonly columns: readonly (ImportColumn | null)[]
  readonly faults: readonly { readonly column: Column | null; readonly detail: string }[]
}

/** Reads the first row of a file. */
export function headerOf(cells: readonly string[]): Header {
  const found = cells.map((cell) => columnOfKey.get(keyOf(cell)))
  // In a file without a header, the first row holds somebody's data, which no message repeats.
  if (!found.includes("username") && !found.includes("name"))
    return {
      columns: [],
      faults: [{ column: null, detail: "the header must name the columns, with username or name among them" }],
    }
  const named = (index: number) => `${index + 1}, ${quoted(cells[index] ?? "")}`
  const faults = found.flatMap((column, index): Header["faults"] => {
    const first = found.indexOf(column)
    if (column === undefined)
      return [{ column: null, detail: `column ${named(index)}: none of the columns ${importColumns.join(", ")}` }]
    if (column === "password")
      return [{ column, detail: `column ${named(index)}: passwords are not imported; invite new users instead` }]
    if (first === index) return []
    return [{ column, detail: `columns ${named(first)}, and ${named(index)}: both mean ${column}` }]
  })
  return { columns: found.map((column) => importColumns.find((one) => one === column) ?? null), faults }
}

/** As it stands in the file, unless nobody could read it. */
function quoted(header: string): string {
  const text = header.trim()
  const shown = isLongerThan(text, maxKey) ? `${[...text].slice(0, maxKey).join("")}…` : text
  return `"${isLine(shown) ? shown : "?"}"`
}
