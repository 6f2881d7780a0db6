import type { Damage } from "../../../verify/damage.ts"
import { keyFault, keysWithoutTransactions } from "../../../verify/idempotency-keys.ts"
import type { Subject } from "./check.ts"

/** Every key names transactions that exist. */
export function* keyFaults({ client }: Subject): Generator<Damage> {
  for (const row of client.query<Parameters<typeof keyFault>[0], []>(keysWithoutTransactions).iterate())
    yield keyFault(row)
}
