import type { Connection } from "./connection.ts"
import { ConnectionLost, PoolExhausted } from "./errors.ts"

export interface PoolState {
  readonly size: number
  readonly idle: number
  readonly used: number
  readonly waiting: number
}

export interface Connections {
  /** Waits at most `patienceMs`. @throws PoolExhausted, ConnectionLost, and whatever opening one throws */
  acquire(patienceMs: number): Promise<Connection>
  /** Gives a connection back. A closed one makes room for another. */
  release(connection: Connection): void
}

/** A caller without a connection. */
interface Waiter {
  readonly resolve: (connection: Connection) => void
  readonly reject: (error: unknown) => void
}

/**
 * At most `size` connections, opened as they are needed and kept. Bun's own pool is not used: it reconnects in the middle
 * of a transaction, knows only one host, and lets a caller wait without end.
 */
export function createPool({ size, open }: { readonly size: number; readonly open: () => Promise<Connection> }) {
  const idle: Connection[] = []
  const used = new Set<Connection>()
  const waiting = new Set<Waiter>()
  let opening = 0
  let isClosed = false

  return {
    acquire,
    release(connection: Connection) {
      used.delete(connection)
      add(connection)
    },
    /** Closes idle connections, because they may lead to a server that is gone. */
    dropIdle() {
      for (const connection of idle.splice(0)) connection.close()
    },
    state: (): PoolState => ({
      size,
      idle: idle.filter(({ isOpen }) => isOpen()).length,
      used: used.size,
      waiting: waiting.size,
    }),
    close() {
      isClosed = true
      for (const connection of [...idle.splice(0), ...used]) connection.close()
    },
  }

  async function acquire(patienceMs: number): Promise<Connection> {
    const connection = waiting.size === 0 ? takeIdle() : null
    if (connection !== null) return connection
    const { promise, ...waiter } = Promise.withResolvers<Connection>()
    waiting.add(waiter)
    openMore()
    const timer = setTimeout(() => {
      waiting.delete(waiter)
      waiter.reject(lateness(patienceMs))
    }, patienceMs)
    return promise.finally(() => clearTimeout(timer))
  }

  function lateness(patienceMs: number): Error {
    return used.size === size
      ? new PoolExhausted(`all ${size} connections (db.pool_size) were in use for ${Math.round(patienceMs)} ms`)
      : new ConnectionLost(`no connection within ${Math.round(patienceMs)} ms`)
  }

  function takeIdle(): Connection | null {
    for (let connection = idle.pop(); connection !== undefined; connection = idle.pop())
      if (connection.isOpen()) {
        used.add(connection)
        return connection
      }
    return null
  }

  /** Keeps a connection that is open, and hands out idle ones to the callers that have waited longest. */
  function add(connection: Connection) {
    if (isClosed) connection.close()
    else if (connection.isOpen()) idle.push(connection)
    for (const waiter of waiting) {
      const free = takeIdle()
      if (free === null) break
      waiting.delete(waiter)
      waiter.resolve(free)
    }
    openMore()
  }

  function openMore() {
    while (opening < waiting.size && opening + used.size + idle.length < size) {
      opening += 1
      void openOne()
    }
  }

  async function openOne() {
    const present = [...waiting]
    try {
      const connection = await open()
      opening -= 1
      add(connection)
    } catch (error) {
      opening -= 1
      // A connection in use will be released to those who wait. If none is in use, those who waited already when this
      // one was opened would wait in vain.
      for (const waiter of used.size === 0 ? present : []) if (waiting.delete(waiter)) waiter.reject(error)
      openMore()
    }
  }
}
