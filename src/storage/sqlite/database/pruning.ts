import { nextTick } from "../../../domain/ticks.ts"
import type { Connection } from "./connection.ts"

/** Rows deleted in one commit. It blocks the event loop and other writers for some 5 ms. */
const prunedAtOnce = 1000

interface Expired {
  readonly table: string
  /** The columns of the primary key. */
  readonly key: string
  /** SQL that is true of the rows to delete. Parameters are numbered: `?1`. */
  readonly condition: string
}

/**
 * Returns a function that deletes expired rows, in several commits if there are many, between which the event loop runs.
 * `before` runs at the beginning of each commit.
 */
export function createPruning<P extends number[]>(
  { client, write }: Pick<Connection, "client" | "write">,
  { table, key, condition }: Expired,
  before: (...parameters: P) => void = () => {},
): (...parameters: P) => Promise<void> {
  const any = client.prepare<unknown, number[]>(`SELECT 1 FROM ${table} WHERE ${condition} LIMIT 1`)
  const some = client.prepare<unknown, number[]>(
    `DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE ${condition} LIMIT ${prunedAtOnce})`,
  )
  const step = (parameters: P) =>
    write(() => {
      before(...parameters)
      return some.run(...parameters).changes
    })

  return async (...parameters) => {
    // Checked without the write lock first: there is rarely anything to prune.
    if (any.get(...parameters) === null) return
    while ((await step(parameters)) >= prunedAtOnce) await nextTick()
  }
}
