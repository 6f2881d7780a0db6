import { existsSync } from "node:fs"
import { canPackage } from "../../release/debian.ts"
import { onALayer } from "../support/layer.ts"

const layered = onALayer(`chroot "$layer/root" sh -euc "$2"`)

/**
 * Runs a script of sh as root of this machine as it is, in which nothing that it does stays: a mount namespace of its
 * own, with a layer in memory over the whole disk. `/given` is the file. Returns the exit status and both outputs.
 */
export async function onThisMachine(file: string, script: string) {
  const child = Bun.spawn(["unshare", "--mount", "sh", "-euc", layered, "sh", file, script], {
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
