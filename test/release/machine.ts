import { existsSync } from "node:fs"
import { canPackage } from "../../tooling/release/debian.ts"
import { onALayer } from "../support/layer.ts"

/** Whoever runs the tests may have installed the product, with settings and a database of their own. */
const withoutRewards = `
dpkg --purge rewards >/dev/null 2>&1 || true
rm -rf /etc/rewards /var/lib/rewards
userdel rewards 2>/dev/null || true
`

const layered = onALayer(`chroot "$layer/root" sh -euc "$2"`)

/**
 * Runs a script of sh as root of this machine without rewards, in which nothing that it does stays: a mount namespace of
 * its own, with a layer in memory over the whole disk. `/given` is the file. `before` runs while what this machine has of
 * rewards is still there. Returns the exit status and both outputs.
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
