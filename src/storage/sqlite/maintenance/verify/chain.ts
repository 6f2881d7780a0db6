import { firstHash, hashOf } from "../../ledger/chain.ts"
import { noteOf } from "../../ledger/notes.ts"
import type { Fold, Row } from "./ledger.ts"

/** Each hash follows from the one before it and the transaction's own fields (see chain.ts), up to the last one kept. */
export function createChain(): Fold {
  let last = firstHash

  return {
    check: "chain",
    see(row) {
      const expected = hashOf(last, { ...row, note: noteIn(row) })
      last = row.hash
      return isEqual(expected, row.hash) ? null : "its hash does not follow from its fields and the hash before it"
    },
    *end({ client }) {
      const kept = client.query<{ hash: Uint8Array }, []>("SELECT last_hash AS hash FROM ledger_state").get()
      if (kept && !isEqual(kept.hash, last))
        yield "the hash of the last transaction is not the one that is kept as last"
    },
  }
}

const noteIn = ({ reason, tags, isPrivate }: Row) =>
  reason === null || tags === null || isPrivate === null ? undefined : noteOf({ reason, tags, isPrivate })

const isEqual = (one: Uint8Array, other: Uint8Array): boolean => Buffer.compare(one, other) === 0
