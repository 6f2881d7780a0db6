import { copyFile } from "node:fs/promises"
import { join } from "node:path"
import { readWatermark } from "../../src/storage/sqlite/maintenance/watermark.ts"
import { bearer, createCompany, type Member, settings } from "../durability/company.ts"
import { createClient } from "../support/client.ts"
import { type StartedServer, startServer, temporaryFolder } from "../support/executable.ts"
import { until } from "../support/until.ts"
import { type Answers, answersOf, questionsFor } from "./answers.ts"

/** The folder of a stopped server with its answers. The watermark in the folder names the last transaction. */
export interface Base extends AsyncDisposable {
  readonly path: string
  /** The files to damage. */
  readonly files: readonly string[]
  readonly members: readonly Member[]
  /** The number of transactions. */
  readonly transactions: number
  readonly answers: Answers
}

/** How many transfers are in the database file, and how many more in the WAL of a killed server. */
const transfers = { first: 2000, last: 100 }
const sentAtOnce = 20

/** SIGTERM leaves the database and its watermark. SIGKILL also leaves a WAL. */
export async function createBase(signal: "SIGTERM" | "SIGKILL"): Promise<Base> {
  const folder = await temporaryFolder()
  await using company = await createCompany()
  await copyFile(company.database, join(folder.path, "rewards.db"))
  const { members } = company
  const transactions = company.transactions + transfers.first + transfers.last
  {
    await using server = await startServer({ cwd: folder.path, config: settings })
    await send(server, members, transfers.first)
  }
  await using server = await startServer({ cwd: folder.path, config: settings })
  await send(server, members, transfers.last)
  const database = join(folder.path, "rewards.db")
  await until(() => {
    const watermark = readWatermark(database)
    return watermark !== null && watermark !== "unreadable" && watermark.lastId === transactions
  })
  const answers = await answersOf(server, questionsFor(members, transactions), transactions)
  await server.stop(signal)
  const files = ["rewards.db", "rewards.db.mark", ...(signal === "SIGKILL" ? ["rewards.db-wal"] : [])]
  return { ...folder, files, members, transactions, answers }
}

/** Sends in the same order each time, so that two bases have almost the same bytes. */
async function send({ url }: StartedServer, members: readonly Member[], transfers: number) {
  const sendOne = async (place: number) => {
    const [sender, receiver] = [memberAt(members, place), memberAt(members, place * 3 + 1)]
    const path = `/transaction/${receiver.username}/`
    const said = place % 5 === 0 ? { reason: `For number ${place}` } : {}
    const { status } = await createClient(url, bearer(sender)).post(path, { value: 1 + (place % 50), ...said })
    if (status !== 201) throw new Error(`a transfer was answered ${status}`)
  }
  for (let sent = 0; sent < transfers; sent += sentAtOnce)
    await Promise.all(Array.from({ length: sentAtOnce }, (_, index) => sendOne(sent + index)))
}

function memberAt(members: readonly Member[], place: number): Member {
  const member = members[place % members.length]
  if (!member) throw new Error("there is none")
  return member
}
