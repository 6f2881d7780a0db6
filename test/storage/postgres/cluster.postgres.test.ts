import { expect, test } from "bun:test"
import { existsSync } from "node:fs"
import { dirname, join } from "node:path"
import { clientOf, startCluster } from "../../support/postgres.ts"

const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test("the PostgreSQL server of a killed test process ends and leaves nothing behind", async () => {
  const module = join(import.meta.dir, "../../support/postgres.ts")
  const script = `const { cluster } = await import(${JSON.stringify(module)})
    const { pid, data } = await cluster()
    console.log(JSON.stringify({ pid, data }))
    setInterval(() => {}, 1000)`
  const child = Bun.spawn([process.execPath, "-e", script], { stdio: ["ignore", "pipe", "inherit"] })
  let text = ""
  for await (const bytes of child.stdout) {
    text += new TextDecoder().decode(bytes)
    if (text.endsWith("\n")) break
  }
  const { pid, data } = JSON.parse(text)
  expect([isRunning(pid), existsSync(data)]).toEqual([true, true])

  child.kill("SIGKILL")
  await child.exited
  while (isRunning(pid) || existsSync(dirname(data))) await Bun.sleep(10)
})

test("a client works again by itself after the server was killed and restarted", async () => {
  const own = await startCluster({ synchronous_commit: "on" })
  try {
    const client = clientOf({ url: own.url("postgres") }, { poolSize: 3 })
    await client.query("CREATE TABLE a (b bigint)")
    const acknowledged: number[] = []
    const insert = async (value: number) => {
      await client.query("INSERT INTO a VALUES ($1)", [value])
      acknowledged.push(value)
    }
    await insert(0)
    process.kill(own.pid, "SIGKILL")
    let failure: unknown
    // Its processes notice one after another.
    for (let value = 1; failure === undefined; value++) failure = await insert(value).catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: "unavailable" })

    await own.start()
    await insert(-1)
    const kept = [...(await client.query<{ b: number }>("SELECT b FROM a"))].map(({ b }) => b)
    expect(kept).toEqual(expect.arrayContaining(acknowledged))
    await client.close()
  } finally {
    await own.stop()
  }
})
