import { expect, test } from "bun:test"
import { chmodSync, existsSync } from "node:fs"
import { testFolder } from "../storage/files.ts"

const program = new URL("../../tooling/start.ts", import.meta.url).pathname

/** Stands for the executable: `init` writes the file, and any command says that it ran. */
const executable = `#!/bin/sh
echo "rewards $*"
[ "$1" = serve ] || touch rewards.toml
`

test("the first start writes the settings and serves, and does not ask to start the server", async () => {
  await using folder = await testFolder()
  await Bun.write(folder.file("build.ts"), "")
  await Bun.write(folder.file("dist/rewards"), executable)
  chmodSync(folder.file("dist/rewards"), 0o755)
  const start = async () => {
    const child = Bun.spawn([process.execPath, program], { cwd: folder.path, stdout: "pipe", stderr: "inherit" })
    return { stdout: await new Response(child.stdout).text(), status: await child.exited }
  }

  expect(await start()).toEqual({ stdout: "Wrote rewards.toml with a new secret.\nrewards serve\n", status: 0 })
  expect(existsSync(folder.file("rewards.toml"))).toBe(true)
  expect(await start()).toEqual({ stdout: "rewards serve\n", status: 0 })
})
