import { join } from "node:path"
import { createClient } from "../support/client.ts"
import { folderOnDisk, startServer } from "../support/executable.ts"

export interface Member {
  readonly username: string
  /** May send more than the balance. */
  readonly isSuperuser: boolean
  readonly token: string
}

/** The closed database that each round starts with, and its users: `admin`, and regular users with points. */
export interface Company extends AsyncDisposable {
  readonly database: string
  readonly members: readonly Member[]
  /** The member `admin`. */
  readonly admin: Member
  /** The number of transactions in it. */
  readonly transactions: number
}

export const settings =
  "[security]\naccess_token_expire_minutes = 10000\n[limits]\nreset_mails = 1000000\ntransfers_per_minute = 0\n"

const regularUsers = 8
const pointsEach = 100_000
const password = "a password of everybody"

export async function createCompany(): Promise<Company> {
  const folder = await folderOnDisk()
  await using server = await startServer({ cwd: folder.path, config: settings })
  const company = await foundCompany(server.url)
  await server.stop()
  return { ...folder, database: join(folder.path, "rewards.db"), ...company }
}

/** Creates the users of an empty service, and gives them points. */
export async function foundCompany(url: string): Promise<Pick<Company, "members" | "admin" | "transactions">> {
  const admin = { username: "admin", isSuperuser: true, token: await logIn(url, "admin", "admin") }
  const as = createClient(url, bearer(admin))

  const members: Member[] = [admin]
  for (let count = 1; count <= regularUsers; count += 1) {
    const username = `member-${count}`
    const user = { name: username, username, email: `${username}@example.com`, dept: "sales", password }
    await mustBe(201, as.post("/user/", user))
    await mustBe(201, as.post(`/transaction/${username}/`, { value: pointsEach }))
    members.push({ username, isSuperuser: false, token: await logIn(url, username, password) })
  }
  return { members, admin, transactions: regularUsers }
}

export const bearer = ({ token }: Member) => ({ authorization: `Bearer ${token}` })

async function logIn(url: string, username: string, password: string): Promise<string> {
  const answer = await createClient(url).submit<{ access_token: string }>("/token", { username, password })
  return (await mustBe(200, Promise.resolve(answer))).body.access_token
}

async function mustBe<T extends { status: number }>(status: number, answering: Promise<T>): Promise<T> {
  const answer = await answering
  if (answer.status !== status) throw new Error(`expected ${status}, got ${JSON.stringify(answer)}`)
  return answer
}
