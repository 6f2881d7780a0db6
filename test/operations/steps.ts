import { readFileSync } from "node:fs"
import { join } from "node:path"

const config = "--config /etc/rewards/rewards.toml"

const [sums = "", settings = "", start = "", proxy = "", doctor = ""] = blocks("README.md", "From an empty machine")
const [backUp = ""] = blocks("backup.md", "Make a backup")
const [look = "", copy = "", serveCopy = "", removeCopy = ""] = blocks("backup.md", "Test a backup")
const [restore = ""] = blocks("backup.md", "Restore")
const [fromOutside = ""] = blocks("reverse-proxy.md", "Check it")

/** The blocks that a newcomer pastes from docs/operations/, with the commands that the newcomer types around them. */
export const steps = {
  install: `cd ~/downloads\n${sums}`,
  settings: `echo mail-secret | ${settings.trim()}`,
  start,
  proxy,
  /** Nothing may be `bad` except the mail server, which is missing. */
  doctor: `${doctor.trim()} >~/told || true
cat ~/told
[ "$(grep '^bad' ~/told | awk '{ print $2 }')" = mail ]`,
  points: `echo the-password-of-ana | sudo -u rewards rewards create-user "Ana Souza" ana@example.com - sales ${config}
sudo -u rewards rewards transaction ana-souza 25 ${config}`,
  fromOutside: `(${fromOutside.trim()}) >~/told
cat ~/told
[ "$(awk '/^HTTP/ { print $2 }' ~/told | xargs)" = '200 404 401' ]`,
  backUp,
  look,
  /** Runs in the background; requests check the data that was backed up. */
  trial: `${copy.trim()}
${serveCopy.trim()} >/dev/null 2>&1 &
trial=$!
rewards healthcheck --ready --wait 60 --url http://127.0.0.1:8001
curl -s http://127.0.0.1:8001/user/ | grep ana-souza
sudo kill "$trial"
wait "$trial" || true
${removeCopy.trim()}`,
  loss: `sudo systemctl stop rewards
sudo sh -c 'rm /var/lib/rewards/rewards.db*'
sudo systemctl start rewards`,
  restore,
  proof: `sudo -u rewards rewards verify ${config}
sudo -u rewards rewards user-list --json ${config} | grep ana-souza`,
  end: "sudo systemctl stop rewards",
}

/** The shell blocks below the heading that begins with this text, with the example host name replaced. */
function blocks(page: string, heading: string): string[] {
  const section = readFileSync(join(import.meta.dir, "../../docs/operations", page), "utf8")
    .split(/^## /m)
    .find((text) => text.startsWith(heading))
  const found = [...(section ?? "").matchAll(/^```sh\n(.*?)^```$/gms)].map(([, inside = ""]) => inside)
  if (found.length === 0) throw new Error(`${page} has no block of shell below "${heading}"`)
  return found.map((block) => block.replaceAll("your.name.here", "rewards.example.com"))
}
