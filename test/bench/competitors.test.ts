import { Database } from "bun:sqlite"
import { expect, test } from "bun:test"
import { join } from "node:path"
import { openInProcess, secret } from "../../bench/company.ts"
import { fillPlain, pocketBaseProgram } from "../../bench/competitors.ts"
import { temporaryFolder } from "../support/executable.ts"

const program = join(import.meta.dir, "../../bench/plain.ts")

/** The plain server with two members, of whom Ana got five points. */
async function startPlain(folder: string) {
  const [source, path] = [join(folder, "rewards.db"), join(folder, "plain.db")]
  const tokens: string[] = []
  {
    await using inProcess = await openInProcess(source)
    const { store, ledger } = inProcess.app
    const rest = { password: "$".repeat(60), avatar: null, bio: null, dept: "sales", currency: "USD" }
    for (const name of ["ana", "ben"]) {
      const user = await store.users.create({ ...rest, name, username: name, email: `${name}@example.com` })
      tokens.push(await inProcess.tokenOf(user))
    }
    const [sender, receiver] = [await inProcess.user("admin"), await inProcess.user("ana")]
    await ledger.sendPoints({ sender, receiver, value: 5 })
  }
  fillPlain(source, path)
  const env = { DATABASE: path, SECRET: secret }
  const child = Bun.spawn([process.execPath, program], { env, stderr: "pipe" })
  let log = ""
  for await (const text of child.stderr.pipeThrough(new TextDecoderStream())) {
    log += text
    if (log.includes("\n")) break
  }
  const [ana = "", ben = ""] = tokens
  return {
    url: (JSON.parse(log) as { url: string }).url,
    path,
    ana,
    ben,
    async [Symbol.asyncDispose]() {
      child.kill()
      await child.exited
    },
  }
}

test("the plain server answers the three requests as this one does, with the same tokens and data", async () => {
  await using folder = await temporaryFolder()
  await using plain = await startPlain(folder.path)
  const ask = async (token: string, path: string, value?: number) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
    const sent = value !== undefined && { method: "POST", body: JSON.stringify({ value }) }
    const response = await fetch(plain.url + path, { headers, ...sent })
    return { status: response.status, body: await response.text() }
  }

  expect(await ask(plain.ana, "/transaction/ben/", 3)).toMatchObject({ status: 201 })
  expect(await ask(plain.ana, "/transaction/ben/", 3)).toMatchObject({ status: 403 })
  expect(await ask(plain.ana, "/transaction/nobody/", 1)).toMatchObject({ status: 404 })
  expect(await ask(`${plain.ana}x`, "/transaction/ben/", 1)).toMatchObject({ status: 401 })

  const { status, body } = await ask(plain.ben, "/transaction/?page=1")
  expect(status).toBe(200)
  expect(JSON.parse(body)).toMatchObject({
    transactions: [{ id: 2, value: 3, user: { username: "ben" }, fromUser: { username: "ana" } }],
    total: 1,
  })
  expect(JSON.parse((await ask(plain.ana, "/transaction/?page=1")).body)).toMatchObject({ total: 2 })
  expect(JSON.parse((await ask(plain.ana, "/user/ben/")).body)).toMatchObject({ name: "ben", dept: "sales" })
  using client = new Database(plain.path, { readonly: true })
  expect(client.query("SELECT username, balance FROM users ORDER BY id").values()).toEqual([
    ["admin", -5],
    ["ana", 2],
    ["ben", 3],
  ])
})

test("without PocketBase, the bench says where to get it", () => {
  expect(pocketBaseProgram("/opt/pocketbase", "/nowhere")).toBe("/opt/pocketbase")
  expect(() => pocketBaseProgram(undefined, "/nowhere")).toThrow("name it with --pocketbase FILE")
})
