import { expect, test } from "bun:test"
import { join } from "node:path"
import { migrations } from "../../../../src/storage/sqlite/database/migrations.ts"
import { openStore } from "../../../../src/storage/sqlite/store.ts"
import { silent, testFolder } from "../../files.ts"
import type { Told } from "../../one-of-several.ts"

const program = join(import.meta.dir, "../../one-of-several.ts")

/** Runs the program four times on `path`; all open it at the same moment. */
async function four(path: string): Promise<Told[]> {
  const started = Array.from({ length: 4 }, () => {
    const child = Bun.spawn([process.execPath, program, path], { stdin: "pipe", stdout: "pipe", stderr: "inherit" })
    return { child, lines: linesOf(child.stdout) }
  })
  for (const { lines } of started) await lines.next()
  for (const { child } of started) void child.stdin.end()
  return Promise.all(started.map(async ({ lines }) => JSON.parse((await lines.next()).value ?? "null")))
}

async function* linesOf(stream: ReadableStream<Uint8Array>) {
  const decoder = new TextDecoder()
  let text = ""
  for await (const bytes of stream) {
    const lines = (text + decoder.decode(bytes, { stream: true })).split("\n")
    text = lines.pop() ?? ""
    yield* lines
  }
}

test("if four processes open the same new file at once, one migrates, and all post to one ledger", async () => {
  await using folder = await testFolder()
  for (let round = 1; round <= 3; round += 1) {
    const path = folder.file(`${round}.db`)

    const told = await four(path)

    expect(told.flatMap(({ migrated }) => migrated)).toEqual(migrations.map(({ tag }) => tag))
    const store = await openStore({ path, log: silent })
    const { items, total } = await store.ledger.page({ page: 1, size: 1000 })
    const acknowledged = told.flatMap(({ posted }) => posted).sort((a, b) => a.id - b.id)
    expect(items.map(({ receiverUsername: _, senderUsername: __, ...kept }) => ({ ...kept, replayed: false }))).toEqual(
      acknowledged,
    )
    expect(items.map(({ id }) => id)).toEqual(Array.from({ length: total }, (_, index) => index + 1))

    const given = items.filter(({ senderUsername }) => senderUsername === "ana").length * 7
    const givenBack = items.filter(({ senderUsername }) => senderUsername === "bruno").length * 10
    const balances = (await store.users.list()).map(({ name, balance }) => [name, balance])
    expect(balances).toEqual([
      ["Ana", givenBack - given],
      ["Bruno", given - givenBack],
    ])
    expect(given - givenBack).toBeGreaterThanOrEqual(0)
    await store.close()
  }
})

test("a page and its total are from one snapshot while other processes commit", async () => {
  await using folder = await testFolder()
  const path = folder.file("rewards.db")
  const store = await openStore({ path, log: silent })
  let running = true
  const told = four(path).finally(() => {
    running = false
  })

  const totals = new Set<number>()
  const read = async () => {
    const { items, total } = await store.ledger.page({ page: 1, size: 1000 })
    expect(items).toHaveLength(total)
    totals.add(total)
    await new Promise(setImmediate)
  }
  while (running) await read()
  await read()

  expect(totals.size).toBeGreaterThan(1)
  expect(await store.ledger.lastId()).toBe((await told).flatMap(({ posted }) => posted).length)
  await store.close()
})
