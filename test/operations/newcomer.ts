import { join } from "node:path"
import { release } from "../../tooling/release/release.ts"
import { temporaryFolder } from "../support/executable.ts"
import { onALayer } from "../support/layer.ts"
import { steps } from "./steps.ts"

/*
 * bun test/operations/newcomer.ts
 *
 * Follows the documentation as a newcomer would, on an overlay of this machine's disk that is thrown away: builds the
 * Debian package, and pastes the blocks of docs/operations/ one after another, from the package to production behind
 * Caddy, a backup, the loss of the database, and its restoration. Needs root, a Debian or Ubuntu, and access to its
 * packages `sudo` and `caddy`. The overlay has no systemd, so the command of the unit is started as the unit's user.
 * Exit status 1 when a line fails.
 */

const layered = onALayer(`chroot "$layer/root" bash /given/newcomer.sh
unshare --net --pid --fork --kill-child sh -euc '
  mount -t proc proc "$1/proc"
  ip link set lo up 2>/dev/null || true
  chroot "$1" sudo -u ana -H bash -euv /given/steps.sh' sh "$layer/root"`)

await using folder = await temporaryFolder()
const date = new Date(Math.floor(Date.now() / 1000) * 1000)
const here = { name: "linux-x64", bun: null, os: "linux", debian: "amd64" } as const
await release({ targets: [here], out: folder.path, date, level: 0, tell: console.error })
await Bun.write(join(folder.path, "newcomer.sh"), Bun.file(join(import.meta.dir, "newcomer.sh")))
await Bun.write(join(folder.path, "steps.sh"), Object.values(steps).join("\n\n"))
Bun.spawnSync(["chmod", "-R", "a+rX", folder.path])
const child = Bun.spawn(["unshare", "--mount", "bash", "-euc", layered, "bash", folder.path], {
  stdout: "inherit",
  stderr: "inherit",
  stdin: "ignore",
})
process.exitCode = await child.exited
console.log(process.exitCode === 0 ? "the newcomer arrived" : "the newcomer did not arrive")
