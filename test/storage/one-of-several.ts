import { DomainError } from "../../src/domain/errors.ts"
import type { Balances } from "../../src/domain/ledger/model.ts"
import type { LedgerStore } from "../../src/domain/ledger/ports.ts"
import type { NewUser, User } from "../../src/domain/people/model.ts"
import { openStore } from "../../src/storage/sqlite/store.ts"
import { allow, person } from "./contract/people.ts"

type Posted = Awaited<ReturnType<LedgerStore["post"]>>

/** The output of this program at its end, as JSON. */
export interface Told {
  readonly migrated: readonly string[]
  readonly posted: readonly Posted[]
}

/** Prints "ready", waits for the end of its input, then opens the database that the argument names and posts at the
 *  same time as other such processes: Ana sends points to Bruno, who sends them back when he has enough. */
const [path = ""] = process.argv.slice(2)
console.log("ready")
await Bun.stdin.text()

const { users, ledger, migrated, close } = await openStore({ path })
const [ana, bruno] = [await ensure(person("Ana")), await ensure(person("Bruno"))]
const posted: Posted[] = []
for (let round = 0; round < 25; round += 1) {
  const settled = await Promise.allSettled([post(ana, bruno, 7, allow), post(bruno, ana, 10, covers(10))])
  posted.push(...settled.flatMap((entry) => (entry.status === "fulfilled" ? [entry.value] : [])))
}
await close()
const told: Told = { migrated, posted }
console.log(JSON.stringify(told))

async function ensure(user: NewUser): Promise<User> {
  const existing = await users.byUsername(user.username)
  if (existing) return existing
  try {
    return await users.create(user)
  } catch (error) {
    if (error instanceof DomainError && error.code === "username_taken") return ensure(user)
    throw error
  }
}

function post(sender: User, receiver: User, value: number, check: (balances: Balances) => void) {
  return ledger.post({ kind: "transfer", senderId: sender.id, receiverId: receiver.id, value, date: Date.now() }, check)
}

function covers(value: number) {
  return ({ sender }: Balances) => {
    if (sender < value) throw new Error("not covered")
  }
}
