import { existsSync } from "node:fs"
import { canPackage } from "../../tooling/release/debian.ts"
import { onALayer } from "../support/layer.ts"

/** Removes rewards, because the person who runs the tests may have installed it, with settings and a database. */
const withoutRewards = `
dpkg --purge rewards >/dev/null 2>&1 || true
rm -rf /etc/rewards /var/lib/rewards
userdel rewards 2>/dev/null || true
`

const layered = onALayer(`chroot "$layer/root" sh -euc "$2"`)

/**
 * Runs a script of sh as root on a copy of this machine without rewards: in its own mount namespace, with an overlay in
 * memory over the whole disk, so that no change is kept. `/given` is the file. `before` runs before rewards is removed.
 * Returns the exit status and both outputs.
 */
export async function onThisMachine(file: string, script: string, before = "") {
  const inside = `${before}\n${withoutRewards}\n${script}`
  const child = Bun.spawn(["unshare", "--mount", "sh", "-euc", layered, "sh", file, inside], {
    stdout: "pipe",
    stderr: "pipe",
  })
  const [status, stdout, stderr] = await Promise.all([
    child.exited,
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  return { status, stdout, stderr }
}

/** Whether this is a Debian on which a package can be installed without leaving a trace. */
export const canInstall =
  process.getuid?.() === 0 &&
  canPackage() &&
  existsSync("/var/lib/dpkg/status") &&
  Bun.which("unshare") !== null &&
  (await onThisMachine("/dev/null", "true")).status === 0
