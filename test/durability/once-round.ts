import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { createClient } from "../support/client.ts"
import { callerOf } from "../support/credentials.ts"
import { databaseIn, type Place, query } from "../support/database.ts"
import { folderOnDisk, runCommand, startProcesses } from "../support/executable.ts"
import { until } from "../support/until.ts"

export interface OnceReport {
  /** Transactions that allowances paid. */
  readonly paid: number
  readonly redemptions: number
  /** Jobs of all kinds, with and without a mail. */
  readonly jobs: number
  readonly mails: number
  /** Jobs whose first attempt was cut off. */
  readonly repeatedJobs: number
  /** What went wrong. */
  readonly faults: readonly string[]
}

const config = `[limits]
transfers_per_minute = 0
[email]
debug_delay_seconds = 0
[jobs]
lease_seconds = 5
result_ttl_seconds = 100000
max_attempts = 100
`
const password = "the password of a member"
const members = ["ana", "bruno", "carla"] as const
/** More people than one commit of an allowance pays (5,000), and more than one commit of digests takes (500). */
const crowd = 5_050
const dailyReaders = 510
/** How many transfers and redemptions are requested, each under its own key. Every third redemption is declined. */
const thanks = 30
const redemptions = 30
const stock = 100_000
const budgets = [3, 5, 7]

/**
 * Kills two processes on one database with SIGKILL, `kills` times at random moments, while they pay allowances, send
 * mail and answer requests, which are repeated under their keys. Then waits until all work is done, and compares the
 * stored data and the mails with the requests.
 */
export async function runOnceRound(kills: number): Promise<OnceReport> {
  await using folder = await folderOnDisk()
  const place = await databaseIn(folder.path)
  await found(folder.path, place)
  for (let count = 0; count < kills; count += 1) await workUntilKilled(folder.path)
  await workToTheEnd(folder.path, place)

  const { status, stdout } = await runCommand(["verify"], { cwd: folder.path })
  const mails = mailsIn(await readFile(join(folder.path, "email.log"), "utf8").catch(() => ""))
  const jobs = await jobsIn(place)
  const { paid, faults } = await allowanceFaults(place)
  return {
    paid,
    redemptions,
    jobs: jobs.length,
    mails: mails.length,
    repeatedJobs: jobs.filter(({ attempts }) => attempts > 1).length,
    faults: [
      ...faults,
      ...(await redemptionFaults(place, jobs)),
      ...(await mailFaults(place, jobs, mails)),
      ...(status === 0 ? [] : [`rewards verify: ${stdout}`]),
    ],
  }
}

/** The longest time until a process is killed, from the start or from the kill before. Most are killed earlier. */
const longestMs = 1500

const start = (cwd: string) => startProcesses(2, { cwd, config })

/** Stores the people, a reward and allowances; then makes allowances and last week's digests fall due. */
async function found(cwd: string, place: Place) {
  await using server = await start(cwd)
  const admin = await callerOf(server.url, { username: "admin", password: "admin" })
  for (const username of members) {
    await admin.post("/user/", { name: username, username, email: `${username}@example.com`, dept: "sales", password })
    await admin.post(`/transaction/${username}/`, { value: 1000 })
    const member = await callerOf(server.url, { username, password })
    await member.patch("/api/v1/me", { mail: "each" })
  }
  await admin.post("/api/v1/rewards", { name: "Mug", cost: 1, stock })
  for (const value of budgets)
    await admin.post("/api/v1/allowances", {
      name: `Budget ${value}`,
      value,
      mode: "add",
      period: "quarter",
      audience: { everyone: true },
    })
  await until(async () => (await query(place, "SELECT 1 FROM job_progress WHERE work = 'week'")).length === 1)
  await query(
    place,
    `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${crowd})
     INSERT INTO users (username, username_key, name, email, email_key, dept, currency, password)
     SELECT 'crowd-' || n, 'crowd-' || n, 'Crowd ' || n, 'crowd-' || n || '@example.com', 'crowd-' || n || '@example.com',
       'crowd', 'USD', '$2b$10$${"x".repeat(53)}' FROM numbers`,
  )
  // A digest is enqueued only for people who have something to give, or took part.
  const { status } = await admin.post("/api/v1/grants", {
    value: 1,
    usernames: Array.from({ length: dailyReaders }, (_, index) => `crowd-${index + 1}`),
  })
  if (status !== 201) throw new Error(`the crowd was given nothing: ${status}`)
  await server.stop()

  await query(
    place,
    `INSERT INTO mail_choices (user_id, mail) SELECT id, 'off' FROM users WHERE dept = 'crowd' AND id > (
       SELECT max(id) - ${crowd - dailyReaders} FROM users)`,
  )
  await query(place, "UPDATE allowances SET due_from = 0")
  await query(place, "UPDATE job_progress SET reached = '2019-12-30 done' WHERE work = 'week'")
}

async function workUntilKilled(cwd: string) {
  await using servers = await start(cwd)
  const working = work(servers.url)
  for (const server of servers.all) {
    await Bun.sleep(Math.random() ** 2 * longestMs)
    await server.stop("SIGKILL")
  }
  await working
}

async function workToTheEnd(cwd: string, place: Place) {
  await using server = await start(cwd)
  while (!(await work(server.url))) await Bun.sleep(10)
  await until(() => isAllDone(place))
}

/** Sends all requests, again if needed. Returns whether all were answered. */
async function work(url: string): Promise<boolean> {
  const callers = await Promise.all(
    [{ username: "admin", password: "admin" }, ...members.map((username) => ({ username, password }))].map((one) =>
      callerOf(url, one).catch(() => createClient(url)),
    ),
  )
  const [admin, ...people] = callers
  const personAt = (index: number) => people[index % people.length] ?? createClient(url)
  const keyed = (json: object, key: string) => ({ json, headers: { "idempotency-key": key } })

  const thanking = Array.from({ length: thanks }, async (_, turn) => {
    const receiver = members[(turn + 1) % members.length]
    const sent = keyed({ value: 1, reason: reasonOf(turn) }, `thanks ${turn}`)
    return (await personAt(turn).call("POST", `/transaction/${receiver}/`, sent)).status === 201
  })
  const redeeming = Array.from({ length: redemptions }, async (_, turn) => {
    const path = "/api/v1/rewards/1/redemptions"
    const { status, body } = await personAt(turn).call<{ id: number }>("POST", path, keyed({}, `redemption ${turn}`))
    if (turn % 3 !== 0 || status !== 201) return status === 201
    const declined = await admin?.post(`/api/v1/redemptions/${body.id}/rejection`)
    return declined?.status === 200 || declined?.status === 409
  })
  const answers = await Promise.allSettled([...thanking, ...redeeming])
  return answers.every((answer) => answer.status === "fulfilled" && answer.value)
}

const reasonOf = (turn: number): string => `Thanks number ${turn}.`

async function isAllDone(place: Place): Promise<boolean> {
  await Bun.sleep(20) // leaves the database to the servers
  const open = await query(
    place,
    `SELECT 1 FROM allowance_runs WHERE finished_at IS NULL
     UNION ALL SELECT 1 FROM jobs WHERE state IN ('available', 'running')
     UNION ALL SELECT 1 FROM job_progress WHERE work = 'day' AND (reached NOT LIKE '% done' OR reached LIKE '2020%')
     UNION ALL SELECT 1 FROM job_progress, ledger_state WHERE work = 'each' AND reached <> CAST(last_id AS TEXT)`,
  )
  const runs = await query(place, "SELECT 1 FROM allowance_runs")
  return open.length === 0 && runs.length === budgets.length
}

async function allowanceFaults(place: Place) {
  const people = crowd + members.length
  const [paid] = await query<{ count: number }>(
    place,
    "SELECT count(*) AS count FROM transactions WHERE kind = 'allowance'",
  )
  const wrong = await query(
    place,
    `SELECT user_id, value, count(*) AS count FROM transactions WHERE kind = 'allowance'
     GROUP BY user_id, value HAVING count(*) <> 1 LIMIT 5`,
  )
  const runs = await query<{ value: number; people: number; total: number }>(
    place,
    "SELECT value, people, total FROM allowance_runs ORDER BY value",
  )
  const expected = budgets.map((value) => ({ value, people, total: value * people }))
  return {
    paid: paid?.count ?? 0,
    faults: [
      ...wrong.map((row) => `an allowance was not paid once: ${JSON.stringify(row)}`),
      ...(paid?.count === people * budgets.length ? [] : [`allowances paid ${paid?.count} times`]),
      ...(Bun.deepEquals(runs, expected) ? [] : [`runs say ${JSON.stringify(runs)}`]),
    ],
  }
}

interface Job {
  readonly id: number
  readonly kind: string
  readonly payload: Readonly<Record<string, unknown>>
  readonly attempts: number
  readonly state: string
  readonly result: string | null
}

async function jobsIn(place: Place): Promise<readonly Job[]> {
  const rows = await query<Omit<Job, "payload"> & { payload: unknown }>(
    place,
    "SELECT id, kind, payload, attempts, state, result FROM jobs ORDER BY id",
  )
  return rows.map(({ payload, ...job }) => ({
    ...job,
    payload: typeof payload === "string" ? JSON.parse(payload) : payload,
  }))
}

async function redemptionFaults(place: Place, jobs: readonly Job[]): Promise<string[]> {
  const declined = redemptions / 3
  const left = stock - redemptions + declined
  const [found] = await query<Record<string, number>>(
    place,
    `SELECT (SELECT count(*) FROM redemptions WHERE state = 'requested') AS requested,
       (SELECT count(*) FROM redemptions WHERE state = 'declined') AS declined,
       (SELECT count(*) FROM transactions WHERE kind = 'redemption') AS taken,
       (SELECT count(*) FROM transactions WHERE kind = 'refund') AS returned,
       (SELECT stock FROM rewards) AS stock`,
  )
  const expected = {
    requested: redemptions - declined,
    declined,
    taken: redemptions,
    returned: declined,
    stock: left,
    mails: redemptions + declined,
  }
  const all = { ...found, mails: jobs.filter(({ kind }) => kind === "redemption_mail").length }
  return Bun.deepEquals(all, expected) ? [] : [`redemptions are ${JSON.stringify(all)}`]
}

/** Faults in mails: every mail must have one job that sent it once, unless an attempt was cut off. */
async function mailFaults(place: Place, jobs: readonly Job[], mails: readonly string[]): Promise<string[]> {
  const reasons = await query<{ id: number; reason: string }>(
    place,
    "SELECT transaction_id AS id, reason FROM notes WHERE reason LIKE 'Thanks number %' ORDER BY transaction_id",
  )
  const reasonById = new Map(reasons.map(({ id, reason }) => [id, reason]))
  const told = jobs.filter(
    ({ kind, payload }) => kind === "thanks_mail" && reasonById.has(Number(payload.transactionId)),
  )
  const digests = jobs.filter(({ kind, payload }) => kind === "digest_mail" && payload.period === "week")
  const digestsByWeek = Map.groupBy(digests, ({ payload }) => payload.since)
  const [readers] = await query<{ count: number }>(
    place,
    `SELECT count(*) AS count FROM users LEFT JOIN mail_choices ON mail_choices.user_id = users.id
       JOIN balances ON balances.user_id = users.id AND value > 0
     WHERE coalesce(mail, 'daily') <> 'off' AND deactivated_at IS NULL`,
  )
  const sent = told.map(({ payload, attempts, result }) => {
    const reason = reasonById.get(Number(payload.transactionId)) ?? ""
    return { reason, attempts, result, mails: mails.filter((mail) => mail.includes(reason)).length }
  })
  return [
    ...(told.length === thanks && new Set(told.map(({ payload }) => payload.transactionId)).size === thanks
      ? []
      : [`${told.length} jobs for ${thanks} mails of thanks`]),
    ...[...digestsByWeek].flatMap(([since, some]) =>
      new Set(some.map(({ payload }) => payload.userId)).size === readers?.count && some.length === readers.count
        ? []
        : [`${some.length} digests of ${since} for ${readers?.count} readers`],
    ),
    ...(digestsByWeek.size > 0 ? [] : ["no digests"]),
    ...jobs.filter(({ state }) => state !== "completed").map((job) => `not completed: ${JSON.stringify(job)}`),
    ...sent
      .filter(({ mails, attempts, result }) => result !== "sent" || mails < 1 || mails > attempts)
      .map((one) => `not sent once: ${JSON.stringify(one)}`),
  ]
}

const mailsIn = (text: string): string[] => text.match(/^--- START EMAIL [\s\S]*?^--- END OF EMAIL ---$/gm) ?? []
