import type { Database } from "bun:sqlite"
import { existsSync } from "node:fs"
import { parseArgs } from "node:util"
import { createRandom } from "../src/cli/demo/dice.ts"
import type { StoredPockets } from "../src/domain/ledger/pockets.ts"
import { defaultCurrency, usernameFrom } from "../src/domain/people/fields.ts"
import type { NewUser } from "../src/domain/people/model.ts"
import { searchKey } from "../src/domain/people/people-search.ts"
import { isSuperuser, managementDept } from "../src/domain/people/roles.ts"
import { append, firstHash, type NewRow } from "../src/storage/ledger/chain.ts"
import { openClient } from "../src/storage/sqlite/database/client.ts"
import { openConnection } from "../src/storage/sqlite/database/open.ts"
import { createLog } from "../src/support/log.ts"

/*
 * bun bench/generate.ts --rows 10000000 [--people 10000] FILE
 *
 * Fills a new database with a company and its history, exactly as this version would have written it.
 */

/** The password of all users in a generated database. */
export const password = "the password of everybody"

const rowsAtOnce = 50_000

export interface Generated {
  /** Must not exist. */
  readonly path: string
  /** Number of transactions, at least 1,000: `quiet` takes part in 100 of them. */
  readonly rows: number
  /** Number of users, at least 100, including `admin`, `busy` and `quiet`. */
  readonly people: number
  /** Called now and then with the number of transactions so far. */
  readonly progress?: (written: number) => void
}

/** Deterministic except for the salt of the password hash: the same arguments give the same transactions. */
export async function generate({ path, rows, people: count, progress = () => {} }: Generated): Promise<void> {
  if (rows < 1000 || count < 100) throw new Error("at least 1,000 transactions among 100 people are wanted")
  if (existsSync(path)) throw new Error(`${path} exists`)

  const people = peopleOf(count, await Bun.password.hash(password, { algorithm: "bcrypt", cost: 10 }))
  await migrated(path)
  const client = openClient(path, { create: false })
  // Safe, because nobody reads meanwhile and an unfinished file is thrown away.
  // SQLite leaves WAL mode for DELETE only.
  for (const pragma of ["journal_mode = DELETE", "journal_mode = OFF", "synchronous = OFF", "foreign_keys = OFF"])
    client.run(`PRAGMA ${pragma}`)
  client.run("PRAGMA cache_size = -1000000")
  client.transaction(() => insertPeople(client, people))()
  insertHistory(client, rows, people, progress)
  client.close()
  await migrated(path)
}

/** Opens and closes it, as a server would. */
async function migrated(path: string) {
  const { close } = await openConnection({
    path,
    now: Date.now(),
    log: createLog(),
    onMigrating: () => {},
    onUnusable: () => {},
  })
  await close()
}

function insertPeople(client: Database, people: ReturnType<typeof peopleOf>) {
  const insert = client.query(
    `INSERT INTO users (email, email_key, username, username_key, search_key, password, name, dept, currency)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  for (const { email, username, password, name, dept, currency } of people)
    insert.run(email, email, username, username, searchKey({ name, username }), password, name, dept, currency)
}

function insertHistory(
  client: Database,
  rows: number,
  people: ReturnType<typeof peopleOf>,
  progress: (written: number) => void,
) {
  const accounts = people.map((_, index) => emptyAccount(index + 1))
  const next = createHistory({ rows, accounts, people })
  const end = { lastId: 0, lastDate: 0, lastHash: firstHash }
  const insert = client.query(
    "INSERT INTO transactions (id, user_id, from_id, value, date, kind, hash) VALUES (?, ?, ?, ?, ?, ?, ?)",
  )
  const ledger = {
    end,
    changed: new Set<Account>(),
    accountOf(userId: number) {
      const account = accounts[userId - 1]
      if (account === undefined) throw new Error(`there is no user ${userId}`)
      return account
    },
    insert({ id, receiverId, senderId, value, date, kind, hash }: NewRow, sender: Account, receiver: Account) {
      insert.run(id, receiverId, senderId, value, date, kind, hash)
      if (sender === receiver) sender.selfCount += 1
      else {
        sender.sentCount += 1
        receiver.receivedCount += 1
      }
    },
  }
  const appendUpTo = client.transaction((last: number) => {
    while (end.lastId < last) {
      const { sender, receiver, value, date } = next(end.lastId + 1)
      const ids = { senderId: sender.userId, receiverId: receiver.userId }
      append(ledger, { kind: "transfer", ...ids, value, date })
    }
    client.run("UPDATE ledger_state SET last_id = ?1, transaction_count = ?1, last_date = ?2, last_hash = ?3", [
      ...[end.lastId, end.lastDate],
      end.lastHash,
    ])
  })

  while (end.lastId < rows) {
    appendUpTo(Math.min(rows, end.lastId + rowsAtOnce))
    progress(end.lastId)
  }
  const save = client.query(
    `INSERT INTO balances (user_id, value, earned, earned_given, received_count, sent_count, self_count)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  )
  client.transaction(() => {
    for (const { userId, balance, earned, earnedGiven, receivedCount, sentCount, selfCount } of ledger.changed)
      save.run(userId, balance, earned, earnedGiven, receivedCount, sentCount, selfCount)
    client.run(`INSERT INTO pairs (from_id, user_id, count)
      SELECT from_id, user_id, count(*) FROM transactions GROUP BY from_id, user_id`)
  })()
}

/** A user's row of `balances`. */
interface Account extends StoredPockets {
  readonly userId: number
  receivedCount: number
  sentCount: number
  selfCount: number
}

const emptyAccount = (userId: number): Account => ({
  userId,
  ...{ balance: 0, earned: 0, earnedGiven: 0, receivedCount: 0, sentCount: 0, selfCount: 0 },
})

/** The most points in one transaction. */
const maxValue = 100
const [admin, busyIndex, quietIndex] = [0, 1, 2]
const quietTransactions = 100
const quietPoints = 50
/** First and last date of the history. */
const firstDate = Date.UTC(2023, 0, 2, 8)
const lastDate = Date.UTC(2026, 0, 2, 18)

interface Past {
  readonly rows: number
  /** The caller keeps the balances up to date, because regular users send only points that they have. */
  readonly accounts: readonly Account[]
  readonly people: readonly NewUser[]
}

interface Entry {
  readonly sender: Account
  readonly receiver: Account
  readonly value: number
  readonly date: number
}

/**
 * Returns a function that gives the transaction of each id. Call it in ascending order of ids. `busy` takes part in
 * every third transaction, and sends about half of them. `quiet` takes part in exactly 100, evenly spread over any
 * number of rows: 30 of them with `busy`, 15 in each direction. The others send to each other at random. A manager
 * sends in place of a user who has too few points.
 */
export function createHistory({ rows, accounts, people }: Past): (id: number) => Entry {
  const chance = createChance(rows)
  const ordinary = accounts.slice(quietIndex + 1)
  const managers = accounts.filter((_, index) => index === admin || isManager(index))
  const isManagerAt = accounts.map((_, index) => isManager(index))
  const busy = accountAt(accounts, busyIndex)
  const quiet = accountAt(accounts, quietIndex)
  const rowsPerQuiet = rows / quietTransactions
  const quietTurns = { withBusy: 0, withOthers: 0 }
  let nextQuiet = 0

  return (id) => {
    const date = firstDate + Math.floor((id / rows) * (lastDate - firstDate))
    if (id > (nextQuiet + 0.5) * rowsPerQuiet && nextQuiet < quietTransactions) return { ...ofQuiet(nextQuiet++), date }
    if (id % 3 === 0) return { ...ofBusy(), date }
    return { ...between(any(ordinary), any(ordinary)), date }
  }

  function ofQuiet(turn: number) {
    const withBusy = turn % 10 === 1 || turn % 10 === 4 || turn % 10 === 7
    const other = withBusy ? busy : any(managers)
    const receives = quietTurns[withBusy ? "withBusy" : "withOthers"]++ % 2 === 0
    // The received points cover the next transfer that `quiet` sends.
    if (!receives) return { sender: quiet, receiver: other, value: 1 + chance(quietPoints) }
    return { sender: other, receiver: quiet, value: quietPoints + chance(maxValue - quietPoints + 1) }
  }

  function ofBusy() {
    const value = 1 + chance(maxValue)
    // `busy` keeps enough points for its transfers to `quiet`.
    if (chance(2) === 0 && busy.balance >= value + maxValue) return { sender: busy, receiver: any(ordinary), value }
    return between(any(ordinary), busy, value)
  }

  function between(sender: Account, receiver: Account, value = 1 + chance(maxValue)) {
    const covered = sender.balance >= value || isManagerAt[sender.userId - 1]
    return { sender: covered ? sender : any(managers), receiver, value }
  }

  function isManager(index: number): boolean {
    const user = people[index]
    return user !== undefined && isSuperuser(user)
  }

  function any(some: readonly Account[]): Account {
    return accountAt(some, chance(some.length))
  }
}

function accountAt(accounts: readonly Account[], index: number): Account {
  const account = accounts[index]
  if (!account) throw new Error(`there is no account ${index}`)
  return account
}

/** Seeded random integers from 0 below `limit`. */
function createChance(seed: number): (limit: number) => number {
  const random = createRandom(seed)
  return (limit) => Math.floor(random() * limit)
}

/** One of this many users is a manager, who may send without limit. */
const managerEvery = 50

/** The users of a company: `admin`, `busy`, `quiet`, then made-up names. All have the password hash `password`. */
export const peopleOf = (count: number, password: string): NewUser[] =>
  Array.from({ length: count }, (_, index) => person(index, password))

function person(index: number, password: string): NewUser {
  const name = named[index] ?? nameOf(index - named.length)
  const isManager = index === 0 || (index >= named.length && index % managerEvery === 0)
  return {
    name,
    username: usernameFrom(name),
    email: `${index + 1}@example.com`,
    dept: isManager ? managementDept : (depts[index % depts.length] ?? ""),
    currency: defaultCurrency,
    avatar: null,
    bio: null,
    password,
  }
}

const named = ["Admin", "Busy", "Quiet"]

/** Unique for each index, and in no alphabetical order. */
function nameOf(index: number): string {
  const first = firstNames[(index * 7) % firstNames.length]
  const rest = Math.floor(index / firstNames.length)
  const last = lastNames[(rest * 3 + index) % lastNames.length]
  const round = Math.floor(rest / lastNames.length)
  return round === 0 ? `${first} ${last}` : `${first} ${last} ${round + 1}`
}

const depts = ["sales", "engineering", "support", "finance", "people", "design", "legal"]

const firstNames = `Adaeze Agnieszka Aiko Alejandro Amara Amélie Ana Anders Antônio Astrid Beatriz Bruno Camila Carla
  Caspar Chiara Chloé Dagmar Davi Denisa Diego Dimitri Efua Elif Emre Erik Esther Fatima Felipe Femi Fiona Freya Gabriel
  Gitte Giulia Hana Hassan Heitor Henrike Hugo Ines Ingrid Isabela Ivo Jana Jasper João Jonas Kaito Karin Kwame Larissa
  Leila Leonardo Lucía Luuk Maja Malik Marta Mateus Mei Mikael Nadia Naoko Nicolau Noor Olena Olivia Omar Oskar Paula
  Pedro Petra Priya Rafael Rania Renata Ricardo Rosa Ruben Sana Santiago Sara Sibel Sofia Stefan Tadeu Tala Theo Tomás
  Uli Valentina Vera Victor Wanda Xenia Yara Yusuf Zoé`.split(/\s+/)

const lastNames =
  `Abreu Adeyemi Albers Almeida Andersson Araújo Bakker Barbosa Bauer Becker Bianchi Braga Campos Cardoso
  Carvalho Castro Costa Cruz Dahl Dias Duarte Ekström Esteves Farias Fernandes Ferrari Ferreira Fischer Fonseca Freitas
  García Gomes Gonçalves Haddad Hansen Hartmann Herrera Hoffmann Ito Jansen Jensen Johansson Kaya Keller Kim Klein
  Kowalski Krüger Larsen Leal Lima Lopes Macedo Machado Marino Martins Medeiros Mendes Meyer Monteiro Moraes Moreira
  Nakamura Nascimento Neumann Nguyen Nielsen Nogueira Novak Oliveira Okafor Pacheco Peixoto Pereira Petrov Pinto Pires
  Quintana Ramos Reis Ribeiro Rocha Rodrigues Rossi Sá Salazar Santos Sato Schmidt Silva Silveira Sousa Souza Tanaka
  Teixeira Vargas Vieira Visser Weber Yamamoto Yılmaz Zhang Öztürk`.split(/\s+/)

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    options: { rows: { type: "string", default: "1000000" }, people: { type: "string", default: "10000" } },
    allowPositionals: true,
  })
  const [path] = positionals
  if (path === undefined) throw new Error("bun bench/generate.ts --rows 10000000 FILE")
  const started = performance.now()
  await generate({
    path,
    rows: Number(values.rows),
    people: Number(values.people),
    progress: (written) => {
      if (written % 1_000_000 === 0) console.error(`${written} transactions`)
    },
  })
  console.error(`${values.rows} transactions in ${((performance.now() - started) / 1000).toFixed(1)} s`)
}
