import { lookup } from "node:dns/promises"
import { systemCodeOf } from "../system-errors.ts"
import { Refusal } from "./failures.ts"

interface Place {
  readonly host: string
  readonly port: number
  /** The settings that give them. */
  readonly settings: { readonly host: string; readonly port: string }
}

/** Starts what listens there. @throws Refusal with the cure when it cannot */
export async function listenAt<T>({ host, port, settings }: Place, start: () => T): Promise<T> {
  try {
    return start()
  } catch (error) {
    // Bun says whatever came last of a name that it could not look up, a port in use among it.
    await lookup(host).catch(() => {
      throw new Refusal(`the name ${host} is not known; set ${settings.host}`, { cause: error })
    })
    const cures: Record<string, string> = {
      EADDRINUSE: `is in use; end the other process or set ${settings.port}`,
      EACCES: `may not be used by this user; set ${settings.port} to 1024 or higher`,
      EADDRNOTAVAIL: `cannot be listened on: no network of this machine has that address; set ${settings.host}`,
    }
    const cure = cures[systemCodeOf(error)]
    throw cure === undefined ? error : new Refusal(`port ${port} on ${host} ${cure}`, { cause: error })
  }
}
