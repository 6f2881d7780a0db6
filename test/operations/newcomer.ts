import { readFileSync } from "node:fs"
import { join } from "node:path"
import { release } from "../../release/release.ts"
import { temporaryFolder } from "../support/executable.ts"
import { onALayer } from "../support/layer.ts"

/*
 * bun test/operations/newcomer.ts
 *
 * Goes the newcomer's way on a layer over this machine, of which nothing stays: builds the Debian package, and pastes the
 * blocks of docs/operations/ one after another, from the package to production behind Caddy, a backup, the loss of the
 * database, and its restoration. Wants root, a Debian or Ubuntu, and its packages `sudo` and `caddy` within reach. There
 * is no systemd in it: the line of the unit is started under the unit's user. Exit status 1 when a line fails.
 */

const root = join(import.meta.dir, "../..")
const page = (name: string) => readFileSync(join(root, "docs/operations", name), "utf8")
const config = "--config /etc/rewards/rewards.toml"
/** There is no mail server, and nothing else may be bad. */
const onlyMailIsBad = (doctor: string) => `${doctor.trim()} >~/told || true
cat ~/told
[ "$(grep '^bad' ~/told | awk '{ print $2 }')" = mail ]`

const [sums = "", init = "", start = "", proxy = "", doctor = ""] = blocks("README.md", "From an empty machine")
const [take = ""] = blocks("backup.md", "Take one")
const [look = ""] = blocks("backup.md", "Try it")
const [restore = ""] = blocks("backup.md", "Restore")
const [works = ""] = blocks("reverse-proxy.md", "Does it work")
const steps = [
  "cd ~/downloads",
  sums,
  `echo mail-secret | ${init.trim()}`,
  start,
  proxy,
  onlyMailIsBad(doctor),
  `echo ana-secret | sudo -u rewards rewards create-user "Ana Souza" ana@example.com - sales ${config}`,
  `sudo -u rewards rewards transaction ana-souza 25 ${config}`,
  `(${works.trim()}) >~/told
cat ~/told
[ "$(awk '/^HTTP/ { print $2 }' ~/told | xargs)" = '200 404 101' ]`,
  take,
  look,
  "sudo systemctl stop rewards\nsudo sh -c 'rm /var/lib/rewards/rewards.db*'\nsudo systemctl start rewards",
  restore,
  `sudo -u rewards rewards verify ${config}`,
  `sudo -u rewards rewards user-list --json ${config} | grep ana-souza`,
  "sudo systemctl stop rewards",
].map((step) => step.replaceAll("your.name.here", "rewards.example.com"))

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
await Bun.write(join(folder.path, "steps.sh"), steps.join("\n\n"))
Bun.spawnSync(["chmod", "-R", "a+rX", folder.path])
const child = Bun.spawn(["unshare", "--mount", "bash", "-euc", layered, "bash", folder.path], {
  stdout: "inherit",
  stderr: "inherit",
  stdin: "ignore",
})
process.exitCode = await child.exited
console.log(process.exitCode === 0 ? "the newcomer arrived" : "the newcomer did not arrive")

/** The blocks of shell below the heading that begins so. */
function blocks(name: string, heading: string): string[] {
  const section = page(name)
    .split(/^## /m)
    .find((text) => text.startsWith(heading))
  const found = [...(section ?? "").matchAll(/^```sh\n(.*?)^```$/gms)].map(([, inside = ""]) => inside)
  if (found.length === 0) throw new Error(`${name} has no block of shell below "${heading}"`)
  return found
}
