import { copyFile } from "node:fs/promises"
import { join } from "node:path"
import { bearer, foundCompany, type Member, settings } from "../durability/company.ts"
import { sendUntilSilence } from "../durability/senders.ts"
import { createClient } from "../support/client.ts"
import { type StartedServer, startServer, temporaryFolder } from "../support/executable.ts"

/** A folder that a killed server left, its mark at the last transaction, and what it answered. */
export interface Base extends AsyncDisposable {
  readonly path: string
  readonly files: readonly string[]
  readonly members: readonly Member[]
  readonly answers: Answers
}

/** Everything that the server has to say, by question. A failure is told by its status alone. */
export type Answers = Readonly<Record<string, unknown>>

export const files = ["rewards.db", "rewards.db-wal", "rewards.db.mark"]

/** Longer than the mark is behind the ledger at most. */
const markedWithinMs = 1500

/** Half of the ledger is in the database, the other half in the WAL. */
export async function leaveBase(): Promise<Base> {
  const folder = await temporaryFolder()
  await using company = await foundCompany()
  await copyFile(company.database, join(folder.path, "rewards.db"))
  for (const isLast of [false, true]) {
    await using server = await startServer({ cwd: folder.path, config: settings })
    const stop = new AbortController()
    const sending = sendUntilSilence(server.url, company, 4, stop.signal)
    await Bun.sleep(isLast ? 100 : 300)
    stop.abort()
    await sending
    await Bun.sleep(markedWithinMs)
    const answers = await answersOf(server, company.members)
    if (!isLast) continue
    await server.stop("SIGKILL")
    return { ...folder, files, members: company.members, answers }
  }
  throw new Error("never")
}

/** Asks for all that a superuser, and each member, can read. */
export async function answersOf({ url }: StartedServer, members: readonly Member[]): Promise<Answers> {
  const answers: Record<string, unknown> = {}
  const ask = async (as: Member, path: string) => {
    const { status, body } = await createClient(url, bearer(as)).get<{ total?: number }>(path)
    answers[`${as.username} ${path}`] = status === 200 ? body : status
    return status === 200 ? (body.total ?? 0) : 0
  }
  for (const member of members) {
    await ask(member, `/user/${member.username}/?show_balance=true`)
    await ask(member, `/transaction/${member.username}/?size=100`)
  }
  const [admin] = members
  if (!admin) throw new Error("there is no admin")
  await ask(admin, "/user/?show_balance=true")
  for (let page = 1, left = 1; left > 0; page += 1)
    left = (await ask(admin, `/transaction/?page=${page}&size=100`)) - page * 100
  for (const order of ["value", "-date", "user"]) await ask(admin, `/transaction/?order_by=${order}&size=100`)
  answers.stream = await streamed(url)
  return answers
}

/** All frames, until nothing comes for a while. */
function streamed(url: string): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  const socket = new WebSocket(`${url.replace("http", "ws")}/transaction/ws?after=0`)
  let frames = ""
  let timer = setTimeout(() => resolve(frames), 300)
  socket.onmessage = ({ data }) => {
    frames += `${data}\n`
    clearTimeout(timer)
    timer = setTimeout(() => resolve(frames), 100)
  }
  return promise.finally(() => socket.close())
}
