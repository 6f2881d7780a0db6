import type { Database } from "bun:sqlite"
import { DomainError } from "../../../domain/errors.ts"
import type { Connection } from "../database/connection.ts"
import type { ListEnd } from "../history/blocks.ts"

/** What is kept in memory; all of it is forgotten where there would be more. About 1 KB each. */
const maxKept = 20_000

/** A user's row of `balances`. */
export interface Account {
  readonly userId: number
  value: number
  selfCount: number
  updatedAt: number
  readonly received: ListEnd
  readonly sent: ListEnd
}

interface Row {
  readonly value: number
  readonly updatedAt: number
  readonly selfCount: number
  readonly receivedCount: number
  readonly lastReceived: number
  readonly sentCount: number
  readonly lastSent: number
}

/**
 * Balances and newest ends of the lists, cached between batches: reading them anew took a third of a batch's time. Used inside the write lock only, where it is certain whether another process has written.
 */
export function createAccounts({ client, versions }: Pick<Connection, "client" | "versions">) {
  const row = client.prepare<Row, [number]>(
    `SELECT value, updated_at AS updatedAt, self_count AS selfCount, received_count AS receivedCount,
       last_received AS lastReceived, sent_count AS sentCount, last_sent AS lastSent FROM balances WHERE user_id = ?`,
  )
  const user = client.prepare<{ id: number }, [number]>("SELECT id FROM users WHERE id = ?")
  const save = createSave(client)
  const kept = new Map<number, Account>()
  let seen = -1

  return {
    /** Forgets what others may have changed, and returns whether they may: to be called first in each transaction. */
    refresh(): boolean {
      const version = versions.read()
      const isOld = version !== seen
      if (isOld || kept.size > maxKept) kept.clear()
      seen = version
      return isOld
    },
    /** After a rollback. */
    forget: () => kept.clear(),
    of(userId: number): Account {
      const known = kept.get(userId)
      if (known) return known
      const account = load(userId)
      kept.set(userId, account)
      return account
    },
    save,
  }

  function load(userId: number): Account {
    const found = row.get(userId)
    if (!found && !user.get(userId)) throw new DomainError("user_not_found")
    return {
      userId,
      value: found?.value ?? 0,
      updatedAt: found?.updatedAt ?? 0,
      selfCount: found?.selfCount ?? 0,
      received: { count: found?.receivedCount ?? 0, last: found?.lastReceived ?? 0 },
      sent: { count: found?.sentCount ?? 0, last: found?.lastSent ?? 0 },
    }
  }
}

/** Writes a user's row of `balances`. */
export function createSave(client: Database) {
  const save = client.prepare(
    `INSERT INTO balances (user_id, value, updated_at, received_count, sent_count, self_count, last_received, last_sent)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (user_id) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at,
       received_count = excluded.received_count, sent_count = excluded.sent_count, self_count = excluded.self_count,
       last_received = excluded.last_received, last_sent = excluded.last_sent`,
  )

  return ({ userId, value, updatedAt, received, sent, selfCount }: Account) => {
    save.run(userId, value, updatedAt, received.count, sent.count, selfCount, received.last, sent.last)
  }
}
