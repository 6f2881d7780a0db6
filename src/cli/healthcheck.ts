import { existsSync } from "node:fs"
import { resolve } from "node:path"
import { probeHeader, signProbe } from "../http/probe.ts"
import { command, configOf, type FileArgs, fileArgs, settingsOf } from "./command.ts"
import { Refusal, UsageError } from "./failures.ts"
import type { Surroundings } from "./surroundings.ts"

const betweenMs = 100

/**
 * Asks the server of these settings how it is: for containers, which have no other program to ask with. Where nothing says
 * where the server listens it refuses: at the default address there may be another server, and a green answer of that one
 * would be worse than none.
 */
export const healthcheck = command({
  name: "healthcheck",
  description: "Ask the server of these settings whether it lives",
  example: "rewards healthcheck --ready",
  args: {
    ready: { type: "boolean", description: "Also whether it can do its work, and why not" },
    wait: { type: "string", valueHint: "SECONDS", description: "Ask again for so long until it does", default: "0" },
    url: { type: "string", valueHint: "URL", description: "Where it listens, instead of server.host and server.port" },
    ...fileArgs,
  },
  async run({ ready, wait, url, ...args }, around) {
    const { origin, secret } = url === undefined ? await configured(around, args) : { origin: url, secret: null }
    if (!/^https?:\/\/[^/]+\/?$/.test(origin)) throw new UsageError("URL must be like http://127.0.0.1:8000")
    const asked = `${origin.replace(/\/$/, "")}${ready ? "/readyz" : "/healthz"}`
    await around.print(await answerBy(around.now() + msOf(wait), { url: asked, secret }, around))
  },
})

/** Where the settings have the server listen, and its secret; says so, with the names of what it read. */
async function configured(around: Surroundings, args: FileArgs) {
  const { ownUrl } = await import("./asking.ts")
  const { server, security } = configOf(around, args)
  const file = args.config ?? "rewards.toml"
  const fromElsewhere = settingsOf(around, args).filter(
    ({ path, source }) => addressSettings.includes(path) && source.startsWith("environment "),
  )
  const read = [...(existsSync(resolve(around.cwd, file)) ? [file] : []), ...fromElsewhere.map(({ source }) => source)]
  if (read.length === 0)
    throw new Refusal(
      "there is no rewards.toml in this folder, so that nothing says where the server listens; name its settings with " +
        "--config FILE, or its address with --url URL",
    )
  const origin = ownUrl(server)
  around.tell(`Asking ${origin} (${read.join(", ")})`)
  return { origin, secret: security.secret_key }
}

const addressSettings: readonly string[] = ["server.host", "server.port"]

function msOf(wait: string): number {
  if (!/^\d{1,4}$/.test(wait)) throw new UsageError("option --wait: a number of seconds from 0 to 9999")
  return Number(wait) * 1000
}

interface Asked {
  readonly url: string
  /** Proves to the server that it may say why it is not ready; null where the settings are not known. */
  readonly secret: string | null
}

/** Asks until it is well or late. @throws Refusal with the last answer */
async function answerBy(lateMs: number, { url, secret }: Asked, around: Pick<Surroundings, "now">): Promise<string> {
  const { ask, whyNot } = await import("./asking.ts")
  for (;;) {
    const headers = secret === null ? {} : { [probeHeader]: signProbe(secret, around.now()) }
    const answer = await ask({ url, headers, isOwn: true }).catch((error: Error) => error)
    if (!(answer instanceof Error) && answer.status === 200) return answer.body
    if (around.now() >= lateMs) {
      if (answer instanceof Error) throw new Refusal(`${url} ${whyNot(answer)}`, { cause: answer })
      throw new Refusal(`${new URL(url).origin} answered ${answer.status}: ${answer.body}`)
    }
    await Bun.sleep(betweenMs)
  }
}
