import { expect, test } from "bun:test"
import { mkdir, symlink } from "node:fs/promises"
import { join } from "node:path"
import { inBash } from "../support/bash.ts"
import { executable, runCommand, startServer, temporaryFolder } from "../support/executable.ts"

const readme = await Bun.file(join(import.meta.dir, "../../README.md")).text()

test("every block of the tour can be pasted and prints what the tour shows below it", async () => {
  await using folder = await temporaryFolder()
  await mkdir(join(folder.path, "dist"))
  await symlink(executable, join(folder.path, "dist/rewards"))
  expect(await runCommand(["init"], { cwd: folder.path })).toMatchObject({ status: 0 })
  const env = { REWARDS_SECURITY__SECRET_KEY: undefined, REWARDS_EMAIL__DEBUG_DELAY_SECONDS: "0" }
  await using server = await startServer({ cwd: folder.path, env })
  const here = (text: string) => text.replaceAll(":8000", `:${new URL(server.url).port}`)

  const tour = stepsIn("Five minutes with it")
  expect(tour.length).toBeGreaterThan(8)
  const scripts = tour.map((step) => here(runnable(step)))
  const { status, stdout, stderr } = await inBash({
    cwd: folder.path,
    script: scripts.join(`\necho '${end}'\n`),
    env: path,
  })

  expect({ status, stderr }).toMatchObject({ status: 0 })
  expect(stdout.split(`${end}\n`).map(withoutChance)).toEqual(tour.map(({ prints }) => withoutChance(here(prints))))
}, 120_000)

test("the settings for production can be written in the tour's folder, and served", async () => {
  await using folder = await temporaryFolder()
  await mkdir(join(folder.path, "bin"))
  await symlink(executable, join(folder.path, "bin/rewards"))
  await runCommand(["init"], { cwd: folder.path })
  const [{ script } = { script: "" }] = stepsIn("Production")

  const written = await inBash({
    cwd: folder.path,
    script: `export PATH="$PWD/bin:$PATH"\necho mail-secret | ${script.trim()}`,
    env: path,
  })
  expect(written).toMatchObject({ status: 0, stdout: expect.stringContaining("production.toml") })
  const env = { REWARDS_SECURITY__SECRET_KEY: undefined, REWARDS_SECURITY__BCRYPT_COST: undefined }
  await using server = await startServer({ cwd: folder.path, args: ["--config", "production.toml"], env })
  expect(server.stderr.join("\n")).toContain(join(folder.path, "production.db"))
}, 120_000)

const end = "end of a block"
const path = { PATH: process.env.PATH ?? "" }

/** The blocks of shell below a heading, each with the output that is stated below it. */
function stepsIn(heading: string) {
  const section = readme.split(/^## /m).find((text) => text.startsWith(heading)) ?? ""
  const blocks = section.matchAll(/^```sh\n(.*?)^```$(?:\n\n```text\n(.*?)^```$)?/gms)
  return [...blocks].map(([, script = "", prints = ""]) => ({ script, prints }))
}

const untilMailed = "until grep -q 'END OF EMAIL' email.log 2>/dev/null; do sleep 0.1; done"

/** With this Bun instead of one from npm, a stream that ends after the stated lines instead of by Ctrl C, and a wait for the
 *  mail instead of a few seconds. */
function runnable({ script, prints }: { readonly script: string; readonly prints: string }): string {
  if (!script.startsWith("npx")) return script.replace(/^sleep \d+$/m, untilMailed)
  const watches = script.replace(/^npx -y bun@\S+/, `'${process.execPath}'`).trim()
  return `{ ${watches} & echo $! > watching; } | head -n ${prints.split("\n").length - 1}\nkill "$(cat watching)"\n`
}

/** Without what is another each time. */
const withoutChance = (text: string): string =>
  text.replace(/\d{4}-\d\d-\d\dT[\d:.]+/g, "DATE").replace(/eyJ[\w.-]+/g, "TOKEN")
