import { openStore } from "../../src/storage/sqlite/store.ts"
import { person, threePeople } from "./contract/people.ts"

/** Imports 20,000 people into the database that the argument names, and dies in the middle. */
const [path = ""] = process.argv.slice(2)
const store = await openStore({ path })
await threePeople(store)
const create = Array.from({ length: 20_000 }, (_, index) => person(`Person${index}`))
void store.users.merge({ create, update: [], entries: [], jobs: [] })
for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate)
process.kill(process.pid, "SIGKILL")
