import { createFairQueue } from "../../../domain/fair-queue.ts"
import { whoAsks } from "../../../support/requester.ts"
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
  readonly who: string | undefined
  readonly resolve: (connection: Connection) => void
  readonly reject: (error: unknown) => void
}

/**
 * At most `size` connections, opened as they are needed and kept. Callers take turns. Bun's own pool is not used: it reconnects in the middle
 * of a transaction, knows only one host, and lets a caller wait without end.
 */
export function createPool({ size, open }: { readonly size: number; readonly open: () => Promise<Connection> }) {
  const idle: Connection[] = []
  const used = new Map<Connection, Waiter>()
  const waiting = createFairQueue<Waiter>()
  let opening = 0
  let isClosed = false

  return {
    acquire,
    release(connection: Connection) {
      const holder = used.get(connection)
      if (holder) waiting.done(holder)
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
      waiting: waiting.size(),
    }),
    close() {
      isClosed = true
      for (const connection of [...idle.splice(0), ...used.keys()]) connection.close()
    },
  }

  async function acquire(patienceMs: number): Promise<Connection> {
    const { promise, ...settle } = Promise.withResolvers<Connection>()
    const waiter = { who: whoAsks(), ...settle }
    waiting.add(waiter)
    handOut()
    openMore()
    const timer = setTimeout(() => {
      if (waiting.remove(waiter)) waiter.reject(lateness(patienceMs))
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
      if (connection.isOpen()) return connection
    return null
  }

  /** Keeps a connection that is open, and hands out idle ones. */
  function add(connection: Connection) {
    if (isClosed) connection.close()
    else if (connection.isOpen()) idle.push(connection)
    handOut()
    openMore()
  }

  function handOut() {
    while (waiting.size() > 0) {
      const free = takeIdle()
      if (free === null) return
      const next = waiting.next()
      if (next === undefined) return
      used.set(free, next)
      next.resolve(free)
    }
  }

  function openMore() {
    while (opening < waiting.size() && opening + used.size + idle.length < size) {
      opening += 1
      void openOne()
    }
  }

  async function openOne() {
    const present = waiting.all()
    try {
      const connection = await open()
      opening -= 1
      add(connection)
    } catch (error) {
      opening -= 1
      // A connection in use will be released to those who wait. If none is in use, those who waited already when this
      // one was opened would wait in vain.
      for (const waiter of used.size === 0 ? present : []) if (waiting.remove(waiter)) waiter.reject(error)
      openMore()
    }
  }
}
