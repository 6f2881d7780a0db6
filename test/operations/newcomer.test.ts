import { expect, test } from "bun:test"
import { chmod, mkdir, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { inBash } from "../support/bash.ts"
import { executable, temporaryFolder } from "../support/executable.ts"
import { freePort } from "../support/free-port.ts"
import { steps } from "./steps.ts"

const { settings, start, points, backUp, look, trial, loss, restore, proof, end } = steps

/** What the steps ask of a machine, for whoever is not root of it: everybody is everybody, and there is one service. */
const machine = {
  sudo: `[ "$1" != -u ] || shift 2
exec "$@"`,
  systemctl: `cd /var/lib/rewards
case "$*" in
"enable --now rewards" | "start rewards")
  (
    rewards serve --config /etc/rewards/rewards.toml &
    echo $! >pid
    wait
    rm pid
  ) </dev/null >>log 2>&1 & ;;
"stop rewards")
  while [ -e pid ]; do
    kill "$(cat pid)"
    sleep 0.2
  done ;;
*) exit 1 ;;
esac`,
}

test("bash can parse every block", () => {
  const faultsOf = (script: string) => Bun.spawnSync(["bash", "-nc", script]).stderr.toString()

  expect(Object.values(steps).filter((step) => step.trim() === "" || faultsOf(step) !== "")).toEqual([])
  expect(faultsOf("echo 'ana")).not.toBe("")
})

test("pasting the blocks leads to a production server, a backup, and a restore after the database is lost", async () => {
  await using folder = await temporaryFolder()
  const here = (text: string) =>
    text.replaceAll("/etc/rewards", join(folder.path, "etc")).replaceAll("/var/lib/rewards", join(folder.path, "var"))
  for (const name of ["etc", "var", "bin"]) await mkdir(join(folder.path, name))
  await symlink(executable, join(folder.path, "bin/rewards"))
  for (const [name, script] of Object.entries(machine)) {
    await writeFile(join(folder.path, "bin", name), `#!/bin/sh\n${here(script)}\n`)
    await chmod(join(folder.path, "bin", name), 0o755)
  }
  const copyPort = String(freePort())
  const way = [settings, start, points, backUp, look, trial, loss, restore, proof, end]
    .map((step) => here(step).replaceAll("8001", copyPort))
    .join("\n\n")

  const { status, stdout, stderr } = await inBash({
    cwd: folder.path,
    script: `trap 'systemctl stop rewards' EXIT\n${way}`,
    env: {
      PATH: `${join(folder.path, "bin")}:${process.env.PATH}`,
      REWARDS_SERVER__PORT: String(freePort()),
      REWARDS_SECURITY__BCRYPT_COST: "10",
    },
  })

  expect({ status, stderr }).toMatchObject({ status: 0 })
  const told = [
    /^ana-souza: 0 -> 25$/m,
    /^1 transaction, nothing wrong$/m, // of the backup
    /"username":"ana-souza"/, // in the copy that is served
    /^1 transaction, nothing wrong$/m,
    /ana-souza/,
  ]
  expect(stdout).toMatch(new RegExp(told.map(({ source }) => source).join("[^]*"), "m"))
}, 120_000)
