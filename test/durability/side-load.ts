import { join } from "node:path"
import { createClient } from "../support/client.ts"
import { resetTokensIn } from "../support/debug-mail.ts"
import { executable } from "../support/executable.ts"
import type { Company, Member } from "./company.ts"
import type { Attempt } from "./senders.ts"

/** Higher than all values of the other senders, because a value identifies its transaction. */
const firstValue = 10_000_000
const commandsAtOnce = 2
/** The part of the commands that are killed. */
const killedCommands = 0.2

/** Sends points on the command line, one command after another, until `stop` aborts. */
export async function commandUntil(stop: AbortSignal, cwd: string, { members }: Company): Promise<Attempt[]> {
  const attempts: Attempt[] = []
  let value = firstValue
  const commandOn = async () => {
    while (!stop.aborted) {
      value += 1
      const receiver = members[1 + (value % (members.length - 1))]?.username ?? ""
      attempts.push(await command(cwd, receiver, value))
    }
  }
  await Promise.all(Array.from({ length: commandsAtOnce }, commandOn))
  return attempts
}

async function command(cwd: string, receiver: string, value: number): Promise<Attempt> {
  const sentMs = Date.now()
  const child = Bun.spawn([executable, "transaction", receiver, String(value)], {
    cwd,
    env: {},
    stdio: ["ignore", "ignore", "pipe"],
  })
  const told = new Response(child.stderr).text()
  const isKilled = Math.random() < killedCommands
  if (isKilled) {
    await Bun.sleep(Math.random() * 100)
    child.kill("SIGKILL")
  }
  const status = await child.exited
  if (status !== 0 && !isKilled) throw new Error(`the command line ended with status ${status}: ${await told}`)
  const outcome = status === 0 ? "acknowledged" : "unknown"
  return { sender: "admin", receiver, value, outcome, sentMs, answeredMs: Date.now() }
}

/** Requests a reset mail for each member, one after another. Returns the members whose request the server accepted. */
export async function askForMails(url: string, { members }: Company): Promise<Member[]> {
  const taken: Member[] = []
  for (const member of members) {
    await Bun.sleep(Math.random() * 20)
    const asking = createClient(url).post("/user/pwd_reset_token/", { email: emailOf(member) })
    const status = await asking.then(
      (answer) => answer.status,
      () => null,
    )
    if (status === null) return taken
    if (status === 200) taken.push(member)
  }
  return taken
}

/** The members of `taken` whose mail does not arrive within a minute: an interrupted attempt is repeated when its lease has
 *  expired. */
export async function lostMails(cwd: string, taken: readonly Member[]): Promise<string[]> {
  const path = join(cwd, "email.log")
  const late = Date.now() + 60_000
  const lost: string[] = []
  for (const member of taken)
    while ((await resetTokensIn(path, emailOf(member))).length === 0) {
      if (Date.now() > late) {
        lost.push(`the mail to ${member.username} was taken and is lost`)
        break
      }
      await Bun.sleep(10)
    }
  return lost
}

const emailOf = ({ username }: Member): string => (username === "admin" ? "admin@localhost" : `${username}@example.com`)
