import { afterEach, expect, test } from "bun:test"
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { unzipSync } from "fflate"
import { extract, list } from "tar"
import { type Packed, writeTar, writeZip } from "../../tooling/release/archive.ts"
import { temporaryFolder } from "../support/executable.ts"

const files: readonly Packed[] = [
  { path: "rewards", bytes: Buffer.from("#!/bin/sh\n"), executable: true },
  { path: "README.md", bytes: Buffer.from("Read me.\n") },
  { path: "docs/é.md", bytes: Buffer.from("é") },
]
const date = new Date("2026-11-21T12:00:00Z")
const archive = { folder: "rewards-1.0.0", files, date, level: 6 } as const

const zone = process.env.TZ
afterEach(() => {
  if (zone === undefined) delete process.env.TZ
  else process.env.TZ = zone
})

for (const [kind, write] of [
  ["tar", (file: string, work: string, made = archive) => writeTar(file, work, made)],
  ["zip", (file: string, _: string, made = archive) => writeZip(file, made)],
] as const)
  test(`the same files make the same ${kind}, in any order, time zone, umask and folder`, async () => {
    await using folder = await temporaryFolder()
    const umask = process.umask(0o077)
    try {
      await write(join(folder.path, "one"), join(folder.path, "a"))
      process.umask(0)
      process.env.TZ = "Pacific/Auckland"
      await write(join(folder.path, "two"), join(folder.path, "b"), { ...archive, files: files.toReversed() })
    } finally {
      process.umask(umask)
    }
    expect(readFileSync(join(folder.path, "two")).equals(readFileSync(join(folder.path, "one")))).toBe(true)
  })

test("a tar has every file in one folder, with mode and time and without this machine's owners", async () => {
  await using folder = await temporaryFolder()
  const file = join(folder.path, "rewards.tar.gz")
  await writeTar(file, join(folder.path, "work"), archive)

  const entries: unknown[] = []
  await list({
    file,
    onReadEntry: ({ path, mode, mtime, uid, gid }) => entries.push({ path, mode, mtime, uid: uid ?? 0, gid: gid ?? 0 }),
  })
  const owner = { uid: 0, gid: 0 }
  expect(entries).toEqual([
    { path: "rewards-1.0.0/README.md", mode: 0o644, mtime: date, ...owner },
    { path: "rewards-1.0.0/docs/é.md", mode: 0o644, mtime: date, ...owner },
    { path: "rewards-1.0.0/rewards", mode: 0o755, mtime: date, ...owner },
  ])
  await extract({ file, cwd: folder.path })
  expect(readFileSync(join(folder.path, "rewards-1.0.0/docs/é.md"), "utf8")).toBe("é")
  expect(statSync(join(folder.path, "rewards-1.0.0/rewards")).mode & 0o777).toBe(0o755)
})

test("a zip has every file, in one folder", async () => {
  await using folder = await temporaryFolder()
  const file = join(folder.path, "rewards.zip")
  await writeZip(file, archive)
  const unpacked = unzipSync(readFileSync(file))
  expect(Object.entries(unpacked).map(([path, bytes]) => [path, Buffer.from(bytes).toString()])).toEqual([
    ["rewards-1.0.0/README.md", "Read me.\n"],
    ["rewards-1.0.0/docs/é.md", "é"],
    ["rewards-1.0.0/rewards", "#!/bin/sh\n"],
  ])
  expect(readdirSync(folder.path)).toEqual(["rewards.zip"])
})
