import { afterEach, expect, test } from "bun:test"
import { mkdtempSync, writeFileSync } from "node:fs"
import { open } from "node:fs/promises"
import { join } from "node:path"
import { createResolver } from "../../src/net/resolver.ts"
import { problemOf } from "../../src/support/system-errors.ts"
import { folderForFiles } from "../support/files.ts"
import { type NameServer, startNameServer } from "../support/name-server.ts"

const servers: NameServer[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server[Symbol.dispose]()
})

interface Machine {
  readonly names?: Parameters<typeof startNameServer>[0]
  readonly hosts?: string
  readonly configuration?: string
  readonly limitMs?: number
}

/** A machine with these files, and with a name server that knows these names. */
async function machine({ names, hosts = "", configuration = "", limitMs = 2000 }: Machine = {}) {
  const server = await startNameServer(names)
  servers.push(server)
  const folder = mkdtempSync(join(folderForFiles(), "rewards-names-"))
  const write = (file: string, text: string) => writeFileSync(join(folder, file), text)
  write("hosts", hosts)
  write("resolv.conf", configuration)
  const resolve = createResolver({
    hostsFile: join(folder, "hosts"),
    configuration: join(folder, "resolv.conf"),
    servers: [server.address],
    limitMs,
  })
  return {
    server,
    write,
    addresses: async (name: string) => (await resolve(name)).map(({ address }) => address),
    resolve,
  }
}

test("a silent name server holds up nothing else, and each name for two seconds at most", async () => {
  const { resolve } = await machine({
    names: Object.fromEntries([..."abcdef"].map((name) => [`${name}.test`, "silent"])),
  })
  const file = await open(join(mkdtempSync(join(folderForFiles(), "rewards-sync-")), "file"), "w")
  const begun = performance.now()
  const lookups = Promise.allSettled([..."abcdef"].map((name) => resolve(`${name}.test`)))
  const first = await Promise.race([lookups.then(() => "lookups"), held(file)])
  expect(first).toBe("a sync and a hash")
  for (const one of await lookups)
    expect(problemOf((one as PromiseRejectedResult).reason)).toBe(
      "the name cannot be looked up; check that this machine reaches its DNS server",
    )
  expect(performance.now() - begun).toBeLessThan(4000)
  await file.close()
})

/** What waits for the thread pool. */
async function held(file: Awaited<ReturnType<typeof open>>): Promise<string> {
  await Promise.all([file.datasync(), Bun.password.hash("a", { algorithm: "bcrypt", cost: 4 })])
  return "a sync and a hash"
}

test("a name has the addresses of both families, those of IPv4 first", async () => {
  const { addresses, resolve } = await machine({
    names: {
      "both.test": ["2606:2800:220:1:248:1893:25c8:1946", "192.0.2.1", "192.0.2.2"],
      "six.test": ["2606:2800:220:1:248:1893:25c8:1946"],
      "four.test A": ["192.0.2.4"],
      "four.test AAAA": "silent",
    },
    limitMs: 300,
  })
  expect(await addresses("both.test")).toEqual(["192.0.2.1", "192.0.2.2", "2606:2800:220:1:248:1893:25c8:1946"])
  expect(await resolve("six.test")).toEqual([{ address: "2606:2800:220:1:248:1893:25c8:1946", family: 6 }])
  expect(await addresses("Four.Test.")).toEqual(["192.0.2.4"])
})

test("an unknown name and a name server with a fault have errors of their own", async () => {
  const { resolve } = await machine({ names: { "fault.test": { code: 2 }, "empty.test": [] } })
  const failed = async (name: string) => problemOf(await resolve(name).catch((error) => error))
  expect(await failed("unknown.test")).toStartWith("the name is unknown; check its spelling")
  expect(await failed("empty.test")).toStartWith("the name is unknown")
  expect(await failed("fault.test")).toStartWith("the name cannot be looked up")
  expect(await failed(`${"x".repeat(64)}.test`)).toStartWith("the name is unknown")
})

test("the file of hosts comes first, and a change of it counts at once", async () => {
  const { addresses, write, server } = await machine({
    names: { "app.test": ["192.0.2.1"] },
    hosts: "# of tests\n10.0.0.1\tApp.test app # and more\nfd00::1 app.test\nnonsense app.test\nfe80::1%lo0 app\n",
  })
  expect(await addresses("app.test")).toEqual(["10.0.0.1", "fd00::1"])
  expect(await addresses("app")).toEqual(["10.0.0.1"])
  expect(server.take()).toEqual([])
  write("hosts", "10.0.0.2 other.test\n")
  expect(await addresses("other.test")).toEqual(["10.0.0.2"])
  expect(await addresses("app.test")).toEqual(["192.0.2.1"])
})

test("this machine is never asked for", async () => {
  const { addresses, server } = await machine({ hosts: "127.0.1.1 localhost\n" })
  expect(await addresses("localhost")).toEqual(["127.0.1.1"])
  expect(await addresses("app.localhost")).toEqual(["127.0.0.1", "::1"])
  expect(server.take()).toEqual([])
  expect(await (await machine()).addresses("localhost")).toEqual(["127.0.0.1", "::1"])
})

test("a name with fewer dots than ndots is looked for in the domains of the machine first, any other name there last", async () => {
  const names = {
    "mail.corp.test": ["192.0.2.5"],
    "db.data.cluster.test": ["192.0.2.6"],
    short: ["192.0.2.7"],
    "mail.test": ["192.0.2.8"],
    "db.inside": "silent",
    "db.inside.cluster.test": ["192.0.2.9"],
  } as const
  const configuration = "nameserver 127.0.0.1\ndomain old.test\nsearch corp.test cluster.test.\n"
  const { addresses, server } = await machine({ names, configuration })
  expect(await addresses("mail")).toEqual(["192.0.2.5"])
  expect(new Set(server.take())).toEqual(new Set(["mail.corp.test A", "mail.corp.test AAAA"]))
  expect(await addresses("db.data")).toEqual(["192.0.2.6"])
  expect(await addresses("short")).toEqual(["192.0.2.7"])
  server.take()
  expect(await addresses("mail.test")).toEqual(["192.0.2.8"])
  expect(new Set(server.take())).toEqual(new Set(["mail.test A", "mail.test AAAA"]))

  const more = await machine({
    names,
    configuration: `options ndots:1\n${configuration}options edns0 ndots:2 rotate\n`,
  })
  expect(await more.addresses("db.inside")).toEqual(["192.0.2.9"])
  expect(more.server.take()).not.toContain("db.inside A")
})

test("a name that ends with a dot is looked for nowhere else", async () => {
  const names = { "mail.corp.test": ["192.0.2.5"] }
  const { resolve, server } = await machine({ names, configuration: "search corp.test\n" })
  await expect(resolve("mail.")).rejects.toMatchObject({ code: "ENOTFOUND" })
  expect(new Set(server.take())).toEqual(new Set(["mail A", "mail AAAA"]))
  for (const name of ["", "."]) await expect(resolve(name)).rejects.toMatchObject({ code: "ENOTFOUND" })
  expect(server.take()).toEqual([])
})

test("the addresses of one family do not wait for the limit when nobody says those of the other", async () => {
  const { addresses } = await machine({
    names: { "four.test A": ["192.0.2.4"], "four.test AAAA": "silent" },
    limitMs: 60_000,
  })
  expect(await addresses("four.test")).toEqual(["192.0.2.4"])
}, 4000)
