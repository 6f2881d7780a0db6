/**
 * A port of 127.0.0.1 on which nothing listened a moment ago. It is below the ports that the system gives to clients
 * and for port 0, so that nothing takes it in the meantime.
 */
export function freePort(): number {
  for (;;) {
    const port = 10_000 + Math.floor(Math.random() * 20_000)
    try {
      Bun.listen({ hostname: "127.0.0.1", port, socket: { data() {} } }).stop(true)
      return port
    } catch {
      // This port is taken; the next one is tried.
    }
  }
}
