import { Database } from "bun:sqlite"
import { createHmac } from "node:crypto"
import { copyFile, cp } from "node:fs/promises"
import { join, resolve } from "node:path"
import { isSuperuser } from "../src/domain/people/roles.ts"
import { endow, openInProcess, pointsEach, secret, writePeople } from "./company.ts"
import { database } from "./databases.ts"
import { type Load, load, rates } from "./load.ts"
import { type Figure, interleaved, type Options, type Report, ratio } from "./report.ts"
import { compiled, freePort, newFolder, start, startRewards } from "./server.ts"

/** Transactions in the measured databases, which have 10,000 people. */
const rows = { full: 1_000_000, quick: 100_000 }

/** The least rate, divided by that of PocketBase. */
const transfersAtLeast = 5
const measured = [
  { what: "transfers", name: "transfers", connections: [1, 8, 32, 128] },
  { what: "pages", name: "first pages", connections: [32] },
  { what: "users", name: "a user's details", connections: [32] },
] as const

/** What a reader would use instead, with the same people, transactions and requests. */
export async function competitors(options: Options): Promise<Report> {
  const pocketBase = pocketBaseProgram(options.pocketbase)
  await using open = new AsyncDisposableStack()
  const folderFor = async () => open.use(await newFolder(options.cache)).path
  const folder = await folderFor()
  const source = join(folder, "rewards.db")
  await copyFile(await database(options.quick ? rows.quick : rows.full, options.cache), source)
  const peopleFile = join(folder, "people.txt")
  await prepare(source, peopleFile)

  const sides = {
    rewards: { ...open.use(await startRewards(options.executable, folder)), peopleFile },
    plain: { ...open.use(await startPlain(source, await folderFor(), options)), peopleFile },
    pocketBase: open.use(await startPocketBase(pocketBase, source, await folderFor())),
  }
  const names = ["rewards", "plain", "pocketBase"] as const
  const send = (
    side: keyof typeof sides,
    what: (typeof measured)[number]["what"],
    connections: number,
    seconds: number,
  ) =>
    load({
      ...sides[side],
      what: side === "pocketBase" ? `pocketbase-${what}` : what,
      connections,
      seconds,
      ...firstPage,
    })

  const figures: Figure[] = []
  for (const { what, name, connections } of measured) {
    for (const side of names) await send(side, what, 32, 1)
    for (const count of connections) {
      const found = await interleaved(options.rounds, names, (side) => send(side, what, count, options.seconds))
      const target = what === "transfers" ? { atLeast: transfersAtLeast } : undefined
      const label = `${name}, ${count} ${count === 1 ? "connection" : "connections"}`
      figures.push(
        ratio(`${label}, beside PocketBase`, rates(found.rewards), rates(found.pocketBase), target),
        ratio(`${label}, beside a plain server`, rates(found.rewards), rates(found.plain)),
      )
    }
  }
  return { figures }
}

const firstPage = { credential: "bearer", pages: 1 } as const satisfies Partial<Load>

/** @throws when PocketBase is missing */
export function pocketBaseProgram(named: string | undefined, path = process.env.PATH ?? ""): string {
  const program = named ?? Bun.which("pocketbase", { PATH: path })
  if (program === null)
    throw new Error(
      "pocketbase is missing: `competitors` compares with it. Put the executable of https://github.com/pocketbase/pocketbase/releases on the PATH, or name it with --pocketbase FILE",
    )
  return resolve(program)
}

/** Gives all members points, and writes the file of those who send them. */
async function prepare(path: string, peopleFile: string) {
  await using inProcess = await openInProcess(path)
  const members = (await inProcess.app.store.users.list()).filter((user) => !isSuperuser(user))
  await endow(inProcess, members)
  await writePeople(peopleFile, members, async (user) => `${await inProcess.tokenOf(user)}\t`)
}

async function startPlain(source: string, folder: string, { cache }: Options) {
  const path = join(folder, "plain.db")
  fillPlain(source, path)
  return start({ executable: await compiled("plain", cache), folder, env: { DATABASE: path, SECRET: secret } })
}

/** Creates the database of the plain server with the people and transactions of a database of this one. */
export function fillPlain(source: string, path: string) {
  using client = new Database(path)
  client.run("ATTACH ? AS source", [source])
  client.run(`CREATE TABLE users (id INTEGER PRIMARY KEY, username TEXT NOT NULL UNIQUE, name TEXT NOT NULL,
    dept TEXT NOT NULL, currency TEXT NOT NULL, avatar TEXT, bio TEXT, balance INTEGER NOT NULL)`)
  client.run(`CREATE TABLE transactions (id INTEGER PRIMARY KEY, user_id INTEGER NOT NULL REFERENCES users (id),
    from_id INTEGER NOT NULL REFERENCES users (id), value INTEGER NOT NULL, date INTEGER NOT NULL)`)
  client.run(`INSERT INTO users SELECT id, username, name, dept, currency, avatar, bio, coalesce(value, 0)
    FROM source.users LEFT JOIN source.balances ON user_id = id`)
  client.run("INSERT INTO transactions SELECT id, user_id, from_id, value, date FROM source.transactions")
  client.run("CREATE INDEX by_user ON transactions (user_id, id)")
  client.run("CREATE INDEX by_from ON transactions (from_id, id)")
}

/** With its defaults, a hook and collections as in `pocketbase/`. Its file of people names them by their id. */
async function startPocketBase(program: string, source: string, folder: string) {
  await cp(join(import.meta.dir, "pocketbase"), folder, { recursive: true })
  const inFolder = ["--dir", "pb_data", "--hooksDir", "pb_hooks", "--migrationsDir", "pb_migrations"]
  // Without a superuser it would open a browser.
  for (const command of [
    ["migrate", "up"],
    ["superuser", "upsert", "bench@example.com", secret],
  ]) {
    const { exitCode, stderr } = Bun.spawnSync([program, ...command, ...inFolder], { cwd: folder })
    if (exitCode !== 0) throw new Error(`pocketbase ${command.join(" ")}: ${stderr}`)
  }
  const peopleFile = join(folder, "people.txt")
  await fillPocketBase(source, join(folder, "pb_data/data.db"), peopleFile)

  const url = `http://127.0.0.1:${freePort()}`
  const child = Bun.spawn([program, "serve", "--http", new URL(url).host, ...inFolder], {
    cwd: folder,
    stdio: ["ignore", Bun.file(join(folder, "server.log")), Bun.file(join(folder, "errors.log"))],
  })
  const isHealthy = async () => (await fetch(`${url}/api/health`).catch(() => null))?.ok ?? false
  while (!(await isHealthy())) {
    if (child.exitCode !== null)
      throw new Error(`pocketbase ended: ${await Bun.file(join(folder, "errors.log")).text()}`)
    await Bun.sleep(20)
  }
  return {
    url,
    peopleFile,
    async [Symbol.asyncDispose]() {
      child.kill()
      await child.exited
    },
  }
}

async function fillPocketBase(source: string, path: string, peopleFile: string) {
  using client = new Database(path)
  client.run("ATTACH ? AS source", [source])
  const at = "strftime('%Y-%m-%d %H:%M:%fZ', date / 1000.0, 'unixepoch')"
  client.run("CREATE TEMP TABLE ids AS SELECT id, substr(lower(hex(randomblob(8))), 2) AS text FROM source.users")
  client.run("CREATE UNIQUE INDEX temp.ids_by_id ON ids (id, text)")
  client.run(`INSERT INTO users (id, "tokenKey", password, email, verified, name, username, dept, currency, created)
    SELECT text, hex(randomblob(20)), password, email, 1, name, username, dept, currency, '2023-01-02 08:00:00.000Z'
    FROM source.users JOIN ids USING (id)`)
  client.run(`INSERT INTO balances (id, user, value) SELECT text, text, max(0, coalesce(value, 0))
    FROM ids LEFT JOIN source.balances ON user_id = id`)
  client.run(`INSERT INTO transactions (id, sender, receiver, value, created)
    SELECT substr(lower(hex(randomblob(8))), 2), sender.text, receiver.text, value, ${at} FROM source.transactions
    JOIN ids AS sender ON sender.id = from_id JOIN ids AS receiver ON receiver.id = user_id`)

  const collection = client
    .query<{ id: string; secret: string }, []>(
      "SELECT id, json_extract(options, '$.authToken.secret') AS secret FROM _collections WHERE name = 'users'",
    )
    .get()
  const members = client
    .query<{ id: string; tokenKey: string }, []>(
      `SELECT id, "tokenKey" FROM users WHERE id IN (SELECT user FROM balances WHERE value >= ${pointsEach})`,
    )
    .all()
  const exp = Math.floor(Date.now() / 1000) + 86_400
  const tokenOf = ({ id, tokenKey }: { readonly id: string; readonly tokenKey: string }) =>
    jwtOf({ id, type: "auth", collectionId: collection?.id, refreshable: false, exp }, tokenKey + collection?.secret)
  await Bun.write(peopleFile, members.map((member) => `${member.id}\t${tokenOf(member)}\t\n`).join(""))
}

function jwtOf(claims: unknown, key: string): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url")
  const signed = `${part({ alg: "HS256", typ: "JWT" })}.${part(claims)}`
  return `${signed}.${createHmac("sha256", key).update(signed).digest("base64url")}`
}
