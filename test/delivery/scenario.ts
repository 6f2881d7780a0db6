import { copyFile } from "node:fs/promises"
import { join } from "node:path"
import { cheapPasswords, everybodysPassword } from "../support/cheap-passwords.ts"
import { createClient } from "../support/client.ts"
import { runCommand, type StartedServer, startServer, temporaryFolder } from "../support/executable.ts"
import type { MailFault } from "./faults.ts"
import { type FaultyMailServer, startFaultyMailServer } from "./faulty-mail-server.ts"

export interface DeliveryReport {
  readonly fault: string
  /** How many connections the mail server saw. */
  readonly attempts: number
  readonly mails: number
  readonly seconds: number
  /** The slowest answer to another request meanwhile. */
  readonly slowestMs: number
  /** One line for each broken promise. */
  readonly violations: readonly string[]
}

const people = ["ana", "bruno", "carla"]
const deliveredWithinMs = 60_000
/** Longer than the longest wait before a job's second attempt. */
const noRetryWithinMs = 7000

/** Writes a database with three people; returns its path. */
export async function writePeople(folder: string): Promise<string> {
  for (const name of people)
    await runCommand(["create-user", name, `${name}@example.com`, everybodysPassword, "sales"], { cwd: folder })
  await cheapPasswords(folder)
  return join(folder, "rewards.db")
}

/**
 * Three people ask for reset mails while the mail server misbehaves on its first three connections. Each of them must get
 * a mail whose token works; after a permanent refusal nothing may be retried. Other requests must be answered meanwhile.
 */
export async function runScenario(people: string, fault: MailFault): Promise<DeliveryReport> {
  await using folder = await temporaryFolder()
  await copyFile(people, join(folder.path, "rewards.db"))
  await using mail = await startFaultyMailServer(fault, 3)
  await using server = await startServer({ cwd: folder.path, env: await settingsFor(mail, folder.path) })
  const startedMs = Date.now()
  const others = measureOtherRequests(server.url)

  await askForMails(server)
  const violations = fault.isPermanent ? await retried(server, mail) : await undelivered(server, mail, fault)
  const { slowestMs, refusals } = await others.stop()
  return {
    fault: fault.name,
    attempts: mail.connectedMs.length,
    mails: mail.mails.length,
    seconds: Math.round((Date.now() - startedMs) / 1000),
    slowestMs,
    violations: [...violations, ...refusals],
  }
}

async function settingsFor({ port, ca }: FaultyMailServer, folder: string) {
  const authority = join(folder, "authority.pem")
  await Bun.write(authority, ca)
  return {
    REWARDS_EMAIL__SMTP_CA: authority,
    REWARDS_EMAIL__DEBUG_MODE: "false",
    REWARDS_EMAIL__SMTP_SERVER: "127.0.0.1",
    REWARDS_EMAIL__SMTP_PORT: String(port),
    REWARDS_JOBS__LEASE_SECONDS: "5",
  }
}

async function askForMails({ url }: StartedServer) {
  const ask = (name: string) => createClient(url).post("/user/pwd_reset_token/", { email: `${name}@example.com` })
  const answers = await Promise.all(people.map(ask))
  if (answers.some(({ status }) => status !== 200))
    throw new Error(`the request was answered ${JSON.stringify(answers)}`)
}

/** The broken promises about delivery: each person's last mail must arrive, and its token must set a password. A mail
 *  may be sent twice only when the server did not confirm the first one. */
async function undelivered(
  server: StartedServer,
  { mails }: FaultyMailServer,
  { at, misbehaviour }: MailFault,
): Promise<string[]> {
  const isConfirmed = at !== "dot" || misbehaviour.kind === "say"
  const expected = people.length * (isConfirmed ? 1 : 2)
  const late = Date.now() + deliveredWithinMs
  while (mails.length < expected && Date.now() < late) await Bun.sleep(20)

  const violations =
    mails.length >= expected && mails.length - overdueAttempts(server) <= expected
      ? []
      : [`${mails.length} mails came, not ${expected}`]
  for (const name of people) {
    const text = mails.findLast(({ to }) => to === `${name}@example.com`)?.text ?? ""
    const token = /pwd_reset_token=3D(\S+)/.exec(text.replaceAll("=\r\n", ""))?.[1] ?? ""
    const change = { password: "another", password_confirm: "another" }
    const { status } = await createClient(server.url).post(`/user/${name}/password/?pwd_reset_token=${token}`, change)
    if (status !== 200) violations.push(`the token in the mail to ${name} was answered ${status}`)
  }
  return violations
}

async function retried(server: StartedServer, { connectedMs, mails }: FaultyMailServer): Promise<string[]> {
  const discarded = () => server.stderr.filter((line) => line.includes('"message":"job discarded"')).length
  const late = Date.now() + deliveredWithinMs
  while (discarded() < people.length && Date.now() < late) await Bun.sleep(20)
  await Bun.sleep(noRetryWithinMs)
  const seen = { attempts: connectedMs.length - overdueAttempts(server), mails: mails.length, discarded: discarded() }
  const isExpected = Bun.deepEquals(seen, { attempts: people.length, mails: 0, discarded: people.length })
  return isExpected ? [] : [`permanently refused: ${JSON.stringify(seen)}`]
}

/**
 * How many attempts outlasted their lease, which can happen on a busy machine. They are repeated even if the mail was
 * delivered.
 */
const overdueAttempts = ({ stderr }: StartedServer): number =>
  stderr.filter((line) => line.includes('"message":"job failed"') && line.includes("TimeoutError")).length

function measureOtherRequests(url: string) {
  const refusals: string[] = []
  let slowestMs = 0
  let isOver = false
  const watch = async () => {
    while (!isOver) {
      const startedMs = performance.now()
      const { status } = await createClient(url).get("/user/?show_balance=true")
      slowestMs = Math.max(slowestMs, Math.round(performance.now() - startedMs))
      if (status !== 200) refusals.push(`meanwhile answered ${status}`)
      await Bun.sleep(20)
    }
  }
  const watching = watch()
  return {
    async stop() {
      isOver = true
      await watching
      return { slowestMs, refusals }
    },
  }
}
