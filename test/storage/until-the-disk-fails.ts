import { sqliteCodeOf } from "../../src/storage/sqlite/database/errors.ts"
import { openStore } from "../../src/storage/sqlite/store.ts"
import { allow, person, threePeople } from "./contract/people.ts"

/** The output of this program, as JSON. */
export interface Report {
  /** How many transactions were acknowledged. Their values are 1, 2, 3 and so on. */
  readonly acknowledged: number
  /** The outcomes of the calls in the batch whose commit failed. */
  readonly batch: readonly string[]
  /** The outcomes of calls after that. */
  readonly later: readonly string[]
  /** The codes of SQLite that `onUnusable` received. */
  readonly failures: readonly string[]
}

/** Posts three transactions at a time to the database that the argument names, until that fails. */
const [path = ""] = process.argv.slice(2)
const failures: string[] = []
const store = await openStore({ path, onUnusable: (error) => failures.push(sqliteCodeOf(error)) })
const { ana, bruno } = await threePeople(store)
const post = (value: number) =>
  store.ledger.post({ kind: "transfer", senderId: ana.id, receiverId: bruno.id, value, date: 1 }, allow)

let acknowledged = 0
let batch = await postThree()
while (batch.every(({ status }) => status === "fulfilled")) {
  acknowledged += 3
  batch = await postThree()
}
const later = await Promise.allSettled([post(1), store.users.create(person("Davi"))])

const statuses = (settled: readonly PromiseSettledResult<unknown>[]) => settled.map(({ status }) => status)
const report: Report = { acknowledged, batch: statuses(batch), later: statuses(later), failures }
console.log(JSON.stringify(report))

function postThree() {
  return Promise.allSettled([1, 2, 3].map((step) => post(acknowledged + step)))
}
