import { copyFile } from "node:fs/promises"
import { join } from "node:path"
import { readWatermark } from "../../src/storage/sqlite/maintenance/watermark.ts"
import { bearer, foundCompany, type Member, settings } from "../durability/company.ts"
import { createClient } from "../support/client.ts"
import { type StartedServer, startServer, temporaryFolder } from "../support/executable.ts"
import { until } from "../support/until.ts"
import { type Answers, answersOf, questionsFor } from "./answers.ts"

/** A folder that a server left, its watermark at the last transaction, and what it answered. */
export interface Base extends AsyncDisposable {
  readonly path: string
  /** What must be found again, and may be damaged. */
  readonly files: readonly string[]
  readonly members: readonly Member[]
  /** How many are in it. */
  readonly transactions: number
  readonly answers: Answers
}

/** In the database, and behind it in the WAL of a server that was killed. */
const transfers = { first: 2000, last: 100 }
const sentAtOnce = 20

/** Ended by SIGTERM it leaves one file and its watermark, by SIGKILL a WAL too. */
export async function leaveBase(signal: "SIGTERM" | "SIGKILL"): Promise<Base> {
  const folder = await temporaryFolder()
  await using company = await foundCompany()
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

/** In the same order each time, so that the same bytes of two bases mean much the same. */
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
