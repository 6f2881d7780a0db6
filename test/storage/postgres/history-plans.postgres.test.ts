import { afterAll, beforeAll, expect, test } from "bun:test"
import { SQL } from "bun"
import type { HistoryPageQuery, OrderField } from "../../../src/domain/ledger/model.ts"
import type { RecognitionQuery } from "../../../src/domain/recognition/model.ts"
import { createEntries } from "../../../src/storage/ledger/entries.ts"
import { createPages } from "../../../src/storage/ledger/history.ts"
import { createUserStore } from "../../../src/storage/people/users.ts"
import type { Client, Queries } from "../../../src/storage/postgres/database/client.ts"
import type { Parameter } from "../../../src/storage/postgres/database/connection.ts"
import { createDatabase } from "../../../src/storage/postgres/database/database.ts"
import { createRecognitionStore } from "../../../src/storage/recognition/recognition-store.ts"
import { type TestClient, testClient } from "./support.ts"

const size = 10
const people = 100
/**
 * Everybody sends to everybody, `u001` and `u002` too; `u003` and `u004` send to nobody else than each other; `u005`
 * often sends to `u006`.
 */
const history = `
  SET LOCAL synchronous_commit = on; -- only then VACUUM may take the rows for visible to everybody at once
  INSERT INTO users (email, email_key, username, username_key, password, name, dept, currency)
    SELECT id, id, 'u' || to_char(id, 'FM000'), 'u' || to_char(id, 'FM000'), '$2b$04$' || repeat('x', 53), 'X', CASE WHEN id <= 2 THEN 'support' WHEN id <= 4 THEN 'apart' ELSE 'sales' END, 'USD'
    FROM generate_series(1, ${people}) AS id ORDER BY id * 37 % ${people};
  INSERT INTO transactions (id, user_id, from_id, value, date, kind, hash)
    SELECT row_number() OVER (ORDER BY round, (f.id * t.id) % 101, f.id, t.id), t.id, f.id, 1 + (f.id * t.id) % 7, round, 'transfer', decode(repeat('00', 32), 'hex')
    FROM users f, users t,
      generate_series(1, CASE WHEN f.username = 'u005' AND t.username = 'u006' THEN 2500 ELSE 3 END) AS round
    WHERE (f.username IN ('u003', 'u004')) = (t.username IN ('u003', 'u004'));
  INSERT INTO pairs (from_id, user_id, count) SELECT from_id, user_id, count(*) FROM transactions GROUP BY 1, 2;
  INSERT INTO balances (user_id, value, received_count, sent_count, self_count)
    SELECT id, 0, count(*) FILTER (WHERE t.user_id = u.id AND t.from_id <> u.id),
      count(*) FILTER (WHERE t.from_id = u.id AND t.user_id <> u.id), count(*) FILTER (WHERE t.user_id = t.from_id)
    FROM users u JOIN (SELECT user_id, from_id FROM transactions) t ON u.id IN (t.user_id, t.from_id) GROUP BY u.id;
  UPDATE ledger_state SET last_id = (SELECT max(id) FROM transactions), transaction_count = (SELECT count(*) FROM transactions);
  ANALYZE`

interface Node {
  readonly "Node Type": string
  readonly "Relation Name"?: string
  readonly "Index Name"?: string
  readonly "Actual Rows": number
  readonly "Actual Loops": number
  readonly "Rows Removed by Filter"?: number
  readonly Plans?: readonly Node[]
}

let subject: TestClient
let explained: SQL

beforeAll(async () => {
  subject = await testClient({ migrated: true })
  await subject.client.script(async () => history, 60_000)
  await subject.client.query("VACUUM transactions") // so that an index alone may answer
  explained = new SQL(subject.url, { max: 1 })
  // In a database this small, reading a whole table is cheap. What counts is that no plan needs to.
  await explained.unsafe(
    "SET enable_seqscan = off; SET enable_bitmapscan = off; SET plan_cache_mode = force_custom_plan",
  )
})

afterAll(async () => {
  await explained.close()
  await subject[Symbol.asyncDispose]()
})

/** What a statement read from, and how many rows of it. */
interface Scan {
  readonly of: string
  /** An index, else how. */
  readonly by: string
  readonly rows: number
  readonly isIndexOnly: boolean
}

/** What is read, and the scans of its statements. */
async function explain<T>(read: (client: Client) => Promise<T>) {
  const scans: Scan[] = []
  const asking =
    (queries: Queries): Queries["query"] =>
    async (text, parameters = []) => {
      for (const node of await nodesOf(text, parameters))
        if (node["Relation Name"] !== undefined && node["Relation Name"] !== "ledger_state")
          scans.push({
            of: node["Relation Name"],
            by: node["Index Name"] ?? node["Node Type"],
            rows: (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0)) * node["Actual Loops"],
            isIndexOnly: node["Node Type"] === "Index Only Scan",
          })
      return queries.query(text, parameters)
    }
  const client: Client = {
    ...subject.client,
    until: () => client,
    query: asking(subject.client),
    snapshot: (work) => subject.client.snapshot((queries) => work({ query: asking(queries) })),
    transaction: (work) => subject.client.transaction((tx) => work({ ...tx, query: asking(tx) })),
  }
  return { found: await read(client), scans }
}

let statements = 0

async function nodesOf(text: string, parameters: readonly Parameter[]): Promise<readonly Node[]> {
  const name = `statement_${++statements}`
  await explained.unsafe(`PREPARE ${name} AS ${text}`)
  const given = parameters.length === 0 ? "" : `(${parameters.map(literal).join(", ")})`
  const [row] = await explained.unsafe(`EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) EXECUTE ${name} ${given}`)
  const all = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(all)]
  return all(row["QUERY PLAN"][0].Plan)
}

function literal(value: Parameter): string {
  if (value === null || typeof value === "number") return `${value ?? "NULL"}`
  return Array.isArray(value) ? `'{${value.join()}}'` : `'${value}'`
}

/** The page by the plainest query there is. */
async function plainPage({ sender, receiver, participantId, order, page }: HistoryPageQuery): Promise<number[]> {
  const direction = order?.descending ? "DESC" : "ASC"
  const key = { date: "t.id", value: "t.value", user: "r.username", from_user: "s.username" }[order?.field ?? "date"]
  const rows = await subject.client.query<{ id: number }>(
    `SELECT t.id FROM transactions t JOIN users s ON s.id = t.from_id JOIN users r ON r.id = t.user_id
     WHERE ($1::text IS NULL OR s.username = $1) AND ($2::text IS NULL OR r.username = $2)
       AND ($3::bigint IS NULL OR $3 IN (t.from_id, t.user_id))
     ORDER BY ${key} ${direction}, t.id ${direction} OFFSET $4 LIMIT $5`,
    [sender ?? null, receiver ?? null, participantId ?? null, (page - 1) * size, size],
  )
  return rows.map(({ id }) => id)
}

const byPair = ["transactions_by_pair"]

/** By order, the indexes from which transactions are read. */
const selections: readonly [filter: Partial<HistoryPageQuery>, indexes: Record<OrderField, string[]>][] = [
  [
    {},
    {
      date: ["transactions_pkey"],
      value: ["transactions_by_value"],
      user: ["transactions_by_user"],
      from_user: ["transactions_by_from"],
    },
  ],
  [
    { sender: "u001" },
    {
      date: ["transactions_by_from"],
      value: ["transactions_by_from_and_value"],
      user: byPair,
      from_user: ["transactions_by_from"],
    },
  ],
  [
    { receiver: "u002" },
    {
      date: ["transactions_by_user"],
      value: ["transactions_by_user_and_value"],
      user: ["transactions_by_user"],
      from_user: byPair,
    },
  ],
  [
    { participantId: 1 },
    {
      date: ["transactions_by_from", "transactions_by_user", ...byPair],
      value: ["transactions_by_from_and_value", "transactions_by_user_and_value"],
      user: [...byPair, "transactions_by_user"],
      from_user: ["transactions_by_from", ...byPair],
    },
  ],
  [
    { sender: "u001", receiver: "u002" },
    { date: byPair, value: byPair, user: byPair, from_user: byPair },
  ],
  [
    { sender: "u003", receiver: "u004" },
    { date: byPair, value: byPair, user: byPair, from_user: byPair },
  ],
]

for (const [filter, indexes] of selections)
  test(`pages of ${JSON.stringify(filter)} use an index in every order and read little more than they show`, async () => {
    for (const field of ["date", "value", "user", "from_user"] as const)
      for (const descending of [false, true])
        for (const page of [1, 3]) {
          const query = { ...filter, order: { field, descending }, page, size }
          const { found, scans } = await explain((client) => createPages(createDatabase(client)).page(query))
          const { items } = found
          const view = { field, descending, page }
          expect({ ...view, ids: items.map(({ id }) => id) }).toEqual({ ...view, ids: await plainPage(query) })

          // The rows that the page shows are read by their ids.
          const ofTransactions = scans.filter(({ of }) => of === "transactions")
          const allowed = new Set(["transactions_pkey", ...indexes[field]])
          expect({ ...view, other: ofTransactions.filter(({ by }) => !allowed.has(by)) }).toEqual({
            ...view,
            other: [],
          })
          // What somebody sent and received by date is merged, and sorting what they sent may cost less than reading it in order.
          const isMerged = filter.participantId !== undefined && field === "date"
          if (!isMerged) expect(sum(ofTransactions)).toBeLessThanOrEqual((2 * page + 1) * size)
          expect(sum(scans)).toBeLessThan(4 * people) // of 31,321 transactions
        }
  })

test("a page after 1,000 rows skips those in an index, and in the order of ids without reading them", async () => {
  const page = 131
  const views: readonly [filter: Partial<HistoryPageQuery>, fields: readonly OrderField[]][] = [
    [{}, ["date", "value"]],
    [{ receiver: "u006" }, ["date", "value", "user", "from_user"]],
    [{ sender: "u005" }, ["date", "value", "user", "from_user"]],
    [{ sender: "u005", receiver: "u006" }, ["date", "user", "from_user"]],
  ]
  for (const [filter, fields] of views)
    for (const field of fields)
      for (const descending of [false, true]) {
        const query = { ...filter, order: { field, descending }, page, size }
        const { found, scans } = await explain((client) => createPages(createDatabase(client)).page(query))
        const view = { filter, field, descending }
        expect({ ...view, ids: found.items.map(({ id }) => id) }).toEqual({ ...view, ids: await plainPage(query) })

        const ofTransactions = scans.filter(({ of }) => of === "transactions")
        const skipped = ofTransactions.filter(({ isIndexOnly }) => isIndexOnly)
        const fromTable = ofTransactions.filter(({ isIndexOnly }) => !isIndexOnly)
        const isById = field === "date" && Object.keys(filter).length === 0
        expect({ ...view, fromTable: sum(fromTable), isSkipping: sum(skipped) > size }).toEqual({
          ...view,
          fromTable: size,
          isSkipping: !isById,
        })
      }
})

test("entries of a rare kind and recognitions of a small department are found without reading all rows", async () => {
  const { found, scans } = await explain((client) =>
    createEntries(createDatabase(client)).entries({ kind: "refund", limit: size }),
  )
  expect({ found, rows: sum(scans) }).toEqual({ found: [], rows: 0 })

  for (const [dept, participantIds] of [
    ["nobody", []],
    ["support", []],
    ["support", [1]],
  ] as const) {
    const query = { dept, participantIds, limit: size }
    const { found, scans } = await explain((client) => createRecognitionStore(createDatabase(client)).newest(query))
    expect(found.map(({ id }) => id)).toEqual(await plainRecognitions(query))
    // Two people with two lists each, and the rows that are shown.
    expect(sum(scans.filter(({ of }) => of === "transactions"))).toBeLessThanOrEqual(5 * size)
  }
})

test("recognitions of a large department are found without reading all rows, even if its people rarely transact", async () => {
  const newestToRead = 3 * size
  for (const [dept, participantIds, before] of [
    ["sales", [], undefined], // enough of the newest
    ["support", [], undefined],
    ["support", [], 9000],
    ["apart", [], undefined],
    ["apart", [], 20],
    ["nobody", [], undefined],
  ] as const) {
    const query = { dept, participantIds, before, limit: size }
    const { found, scans } = await explain((client) =>
      createRecognitionStore(createDatabase(client), 0, newestToRead).newest(query),
    )
    expect({ query, ids: found.map(({ id }) => id) }).toEqual({ query, ids: await plainRecognitions(query) })
    expect(sum(scans.filter(({ of }) => of === "transactions"))).toBeLessThanOrEqual(newestToRead + 8 * size)
  }
})

test("an erasure reads the jobs in small groups", async () => {
  await subject.client.script(async () => departed, 60_000)
  const entry = {
    who: "admin",
    whom: "erased-101",
    way: "http",
    address: null,
    at: 9,
    count: 1,
    detail: null,
    before: null,
    after: null,
  } as const
  const replacement = { username: "erased-101", name: "Gone", email: "erased-101", password: "x".repeat(60) }

  const { scans } = await explain((client) =>
    createUserStore(createDatabase(client), async () => {}).erase(
      101,
      { at: 9, replacement, reasons: "none" },
      { ...entry, action: "user_erased" },
    ),
  )

  const ofJobs = scans.filter(({ of }) => of === "jobs")
  expect(new Set(ofJobs.map(({ by }) => by))).toEqual(new Set(["jobs_pkey"]))
  expect(ofJobs.filter(({ rows }) => rows > 500)).toEqual([])
  const left = await subject.client.query<{ id: number }>("SELECT id FROM jobs ORDER BY id")
  expect(left.map(({ id }) => id)).toEqual(Array.from({ length: 1198 }, (_, index) => index + 2))
})

/** Somebody who left, with the first and the last of 1,200 jobs. */
const departed = `
  INSERT INTO users (email, email_key, username, username_key, password, name, dept, currency, deactivated_at)
    VALUES ('Gone@x.com', 'gone@x.com', 'gone', 'gone', '$2b$04$' || repeat('x', 53), 'X', 'sales', 'USD', 1);
  INSERT INTO jobs (kind, payload, state, max_attempts, retry_until, run_at, created_at)
    SELECT 'm', CASE id WHEN 1 THEN '{"email": "gone@X.com"}'::jsonb WHEN 1200 THEN '{"userId": 101}' ELSE '{"to": 1}' END,
      'available', 1, 9, 9, 1 FROM generate_series(1, 1200) AS id ORDER BY id`

/** The newest recognitions by the plainest query there is. */
async function plainRecognitions({ dept, participantIds, before, limit }: RecognitionQuery): Promise<number[]> {
  const rows = await subject.client.query<{ id: number }>(
    `SELECT t.id FROM transactions t JOIN users s ON s.id = t.from_id JOIN users r ON r.id = t.user_id
     WHERE $1 IN (s.dept, r.dept) AND s.id <> r.id AND ($2::bigint IS NULL OR $2 IN (s.id, r.id))
       AND ($3::bigint IS NULL OR t.id < $3) ORDER BY t.id DESC LIMIT $4`,
    [dept ?? null, participantIds[0] ?? null, before ?? null, limit],
  )
  return rows.map(({ id }) => id)
}

const sum = (scans: readonly Scan[]): number => scans.reduce((total, { rows }) => total + rows, 0)
