import { dlopen, ptr } from "bun:ffi"

/** What systemd is told about the state of the service (sd_notify(3)). */
export interface ServiceManager {
  /** Requests are answered. From here on the watchdog of the unit is fed by the event loop: when it is held, systemd restarts. */
  ready(status: string): void
  stopping(): void
}

const libc = {
  socket: { args: ["i32", "i32", "i32"], returns: "i32" },
  sendto: { args: ["i32", "ptr", "usize", "i32", "ptr", "u32"], returns: "i64" },
  close: { args: ["i32"], returns: "i32" },
} as const

const afUnix = 1
const datagramCloseOnExec = 2 | 0o2000000
const dontWaitNoSignal = 0x40 | 0x4000

/**
 * The manager behind `NOTIFY_SOCKET`. JavaScript has no datagrams over Unix sockets, so this calls the C library.
 * @throws when the address is not one, or without glibc
 */
export function connectServiceManager(env: Readonly<Record<string, string | undefined>>, pid: number): ServiceManager {
  const address = unixAddress(env.NOTIFY_SOCKET ?? "")
  const { symbols } = dlopen("libc.so.6", libc)

  /** A message that nobody takes is dropped: the manager restarts what it does not hear from. */
  function send(message: string) {
    const socket = symbols.socket(afUnix, datagramCloseOnExec, 0)
    if (socket < 0) return
    const bytes = Buffer.from(message)
    symbols.sendto(socket, ptr(bytes), bytes.length, dontWaitNoSignal, ptr(address), address.length)
    symbols.close(socket)
  }

  return {
    ready(status) {
      send(`READY=1\nSTATUS=${status}`)
      const intervalMs = watchdogMs(env, pid)
      if (intervalMs !== null) setInterval(() => send("WATCHDOG=1"), intervalMs / 2).unref()
    },
    stopping: () => send("STOPPING=1\nSTATUS=Answering the last requests"),
  }
}

/** A `sockaddr_un`. A name that begins with `@` is in the abstract namespace, where it begins with a zero byte. */
function unixAddress(name: string): Buffer {
  const path = Buffer.from(name)
  if (!/^[/@]/.test(name) || path.length > 107) throw new Error(`NOTIFY_SOCKET is no address of a socket: ${name}`)
  if (name.startsWith("@")) path[0] = 0
  const address = Buffer.alloc(2 + path.length + (name.startsWith("@") ? 0 : 1))
  address.writeUInt16LE(afUnix)
  path.copy(address, 2)
  return address
}

/** How long the manager waits for a sign of life; null without a watchdog, or when it watches another process. */
function watchdogMs(env: Readonly<Record<string, string | undefined>>, pid: number): number | null {
  const { WATCHDOG_USEC: microseconds, WATCHDOG_PID: watched } = env
  if (microseconds === undefined || (watched !== undefined && Number(watched) !== pid)) return null
  const ms = Number(microseconds) / 1000
  return ms > 0 ? ms : null
}
