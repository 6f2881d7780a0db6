import type { Connection } from "./connection.ts"
import { PoolExhausted } from "./errors.ts"

export type Pool = ReturnType<typeof createPool>

interface Waiter {
  readonly resolve: (connection: Connection | Promise<Connection>) => void
}

/**
 * At most `size` connections, opened as they are needed and kept. Bun's own pool is not used: it would reconnect in the
 * middle of a transaction, knows one host only, and lets a caller wait without end.
 */
export function createPool({ size, open }: { readonly size: number; readonly open: () => Promise<Connection> }) {
  const idle: Connection[] = []
  const used = new Set<Connection>()
  const waiting: Waiter[] = []
  let opening = 0
  let isClosed = false

  return {
    acquire,
    /** Gives a connection back; one that is closed makes room for another. */
    release(connection: Connection) {
      used.delete(connection)
      if (isClosed) connection.close()
      else if (connection.isOpen()) idle.push(connection)
      serve()
    },
    /** Closes the connections that nobody uses, since they may lead to a server that has gone. */
    dropIdle() {
      for (const connection of idle.splice(0)) connection.close()
    },
    state: () => ({ size, open: idle.length + used.size, used: used.size, waiting: waiting.length }),
    close() {
      isClosed = true
      for (const connection of [...idle.splice(0), ...used]) connection.close()
    },
  }

  /** Waits at most `patienceMs` for a connection. @throws PoolExhausted, and whatever `open` throws */
  async function acquire(patienceMs: number): Promise<Connection> {
    const { promise, resolve, reject } = Promise.withResolvers<Connection>()
    const waiter = { resolve }
    waiting.push(waiter)
    serve()
    if (!waiting.includes(waiter)) return promise
    const timer = setTimeout(() => {
      waiting.splice(waiting.indexOf(waiter), 1)
      reject(new PoolExhausted(`all ${size} connections were in use for ${patienceMs} ms`))
    }, patienceMs)
    return promise.finally(() => clearTimeout(timer))
  }

  function serve() {
    while (waiting.length > 0) {
      const connection = nextIdle() ?? (opening + used.size < size ? opened() : null)
      if (connection === null) return
      waiting.shift()?.resolve(connection)
    }
  }

  function nextIdle(): Connection | null {
    for (let connection = idle.pop(); connection !== undefined; connection = idle.pop())
      if (connection.isOpen()) {
        used.add(connection)
        return connection
      }
    return null
  }

  async function opened(): Promise<Connection> {
    opening += 1
    try {
      const connection = await open()
      used.add(connection)
      if (isClosed) connection.close()
      return connection
    } finally {
      opening -= 1
      if (waiting.length > 0) queueMicrotask(serve)
    }
  }
}
