import { copyFile } from "node:fs/promises"
import { join } from "node:path"
import { cheapPasswords, everybodysPassword } from "../support/cheap-passwords.ts"
import { createClient } from "../support/client.ts"
import { runCommand, type StartedServer, startServer, temporaryFolder } from "../support/executable.ts"
import { type HostileServer, startHostileServer } from "./hostile.ts"
import type { Trouble } from "./troubles.ts"

export interface DeliveryReport {
  readonly trouble: string
  /** Connections that the mail server saw. */
  readonly attempts: number
  readonly mails: number
  readonly seconds: number
  /** Of the requests that were answered meanwhile. */
  readonly slowestMs: number
  /** Everything that is not as it must be. */
  readonly faults: readonly string[]
}

const people = ["ana", "bruno", "carla"]
const deliveredWithinMs = 60_000
/** Longer than the wait before the second attempt of a job, at its longest. */
const noMoreWithinMs = 7000
/** Whoever waits for a mail server that hangs waits longer; a busy machine does not take so long. */
const answeredWithinMs = 5000

/** Writes a database with three people. */
export async function writePeople(folder: string): Promise<string> {
  for (const name of people)
    await runCommand(["create-user", name, `${name}@example.com`, everybodysPassword, "sales"], { cwd: folder })
  const database = join(folder, "rewards.db")
  cheapPasswords(database)
  return database
}

/**
 * Three people ask for reset mails while the mail server makes trouble for three connections: each of them gets a mail
 * whose token works, or, after a refusal for good, nobody is asked again. Meanwhile requests are answered as ever.
 */
export async function playTrouble(people: string, trouble: Trouble): Promise<DeliveryReport> {
  await using folder = await temporaryFolder()
  await copyFile(people, join(folder.path, "rewards.db"))
  await using mail = await startHostileServer(trouble, 3)
  await using server = await startServer({ cwd: folder.path, env: await settingsFor(mail, folder.path) })
  const startedMs = Date.now()
  const others = watchOthers(server.url)

  await askForMails(server)
  const faults = trouble.isPermanent ? await repeatedTo(server, mail) : await undelivered(server, mail, trouble)
  const { slowestMs, unanswered } = await others.stop()
  return {
    trouble: trouble.name,
    attempts: mail.connectedMs.length,
    mails: mail.mails.length,
    seconds: Math.round((Date.now() - startedMs) / 1000),
    slowestMs,
    faults: [...faults, ...unanswered],
  }
}

async function settingsFor({ port, ca }: HostileServer, folder: string) {
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
  if (answers.some(({ status }) => status !== 200)) throw new Error(`asking was answered ${JSON.stringify(answers)}`)
}

/** Everybody's last mail comes, and its token sets a password. Only who was not told that a mail was taken sends it again. */
async function undelivered({ url }: StartedServer, { mails }: HostileServer, { at, deed }: Trouble): Promise<string[]> {
  const isTold = at !== "dot" || deed.kind === "say"
  const expected = people.length * (isTold ? 1 : 2)
  const late = Date.now() + deliveredWithinMs
  while (mails.length < expected && Date.now() < late) await Bun.sleep(20)

  const faults = mails.length === expected ? [] : [`${mails.length} mails came, not ${expected}`]
  for (const name of people) {
    const text = mails.findLast(({ to }) => to === `${name}@example.com`)?.text ?? ""
    const token = /pwd_reset_token=3D(\S+)/.exec(text.replaceAll("=\r\n", ""))?.[1] ?? ""
    const change = { password: "another", password_confirm: "another" }
    const { status } = await createClient(url).post(`/user/${name}/password/?pwd_reset_token=${token}`, change)
    if (status !== 200) faults.push(`the token in the mail to ${name} was answered ${status}`)
  }
  return faults
}

async function repeatedTo({ stderr }: StartedServer, { connectedMs, mails }: HostileServer): Promise<string[]> {
  const discarded = () => stderr.filter((line) => line.includes('"message":"job discarded"')).length
  const late = Date.now() + deliveredWithinMs
  while (discarded() < people.length && Date.now() < late) await Bun.sleep(20)
  await Bun.sleep(noMoreWithinMs)
  const told = { attempts: connectedMs.length, mails: mails.length, discarded: discarded() }
  const isRight = Bun.deepEquals(told, { attempts: people.length, mails: 0, discarded: people.length })
  return isRight ? [] : [`refused for good: ${JSON.stringify(told)}`]
}

function watchOthers(url: string) {
  const unanswered: string[] = []
  let slowestMs = 0
  let isOver = false
  const watch = async () => {
    while (!isOver) {
      const startedMs = performance.now()
      const { status } = await createClient(url).get("/user/?show_balance=true")
      const ms = performance.now() - startedMs
      slowestMs = Math.max(slowestMs, Math.round(ms))
      if (status !== 200 || ms > answeredWithinMs) unanswered.push(`meanwhile answered ${status} after ${ms} ms`)
      await Bun.sleep(20)
    }
  }
  const watching = watch()
  return {
    async stop() {
      isOver = true
      await watching
      return { slowestMs, unanswered }
    },
  }
}
