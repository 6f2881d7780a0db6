import { existsSync } from "node:fs"
import { resolve } from "node:path"
import { probeHeader, signProbe } from "../http/probe.ts"
import { flag, option } from "./support/arguments.ts"
import { type CommandContext, command, configOf, type FileArgs, fileArgs, settingsOf } from "./support/command.ts"
import { Refusal, UsageError } from "./support/failures.ts"

const retryMs = 100

/**
 * Asks the configured server whether it is healthy, for containers without another HTTP client. Refuses when no setting
 * gives the address, because another server may answer at the default address.
 */
export const healthcheck = command({
  name: "healthcheck",
  description: "Check whether the server is running",
  example: "rewards healthcheck --ready",
  args: {
    ready: flag("Also check whether it can do its work; print the reasons if it cannot"),
    wait: { ...option("SECONDS", "Retry for this long"), default: "0" },
    url: option("URL", "Address of the server, instead of server.host and server.port"),
    ...fileArgs,
  },
  async run({ ready, wait, url, ...args }, context) {
    const waitMs = msOf(wait)
    if (url !== undefined && !isOrigin(url)) throw new UsageError("URL must be like http://127.0.0.1:8000")
    const { origin, secret } = url === undefined ? await configured(context, args) : { origin: url, secret: null }
    const asked = `${origin.replace(/\/$/, "")}${ready ? "/readyz" : "/healthz"}`
    await context.print(await answerBy(context.now() + waitMs, { url: asked, secret }, context))
  },
})

const isOrigin = (url: string): boolean => /^https?:\/\/[^/@]+\/?$/.test(url) && URL.canParse(url)

/** The address and the secret of the server. Prints them to standard error with their sources. */
async function configured(context: CommandContext, args: FileArgs) {
  const { ownUrl } = await import("./support/http-client.ts")
  const { server, security } = configOf(context, args)
  const file = args.config ?? "rewards.toml"
  const fromElsewhere = settingsOf(context, args).filter(
    ({ path, source }) => addressSettings.includes(path) && source.startsWith("environment "),
  )
  const read = [...(existsSync(resolve(context.cwd, file)) ? [file] : []), ...fromElsewhere.map(({ source }) => source)]
  if (read.length === 0)
    throw new Refusal(
      "there is no rewards.toml in this folder, so the address of the server is unknown; name its settings with " +
        "--config FILE, or its address with --url URL",
    )
  const origin = ownUrl(server)
  context.printError(`Asking ${origin} (${read.join(", ")})`)
  return { origin, secret: security.secret_key }
}

const addressSettings: readonly string[] = ["server.host", "server.port"]

function msOf(wait: string): number {
  if (!/^\d{1,4}$/.test(wait)) throw new UsageError("option --wait: a number of seconds from 0 to 9999")
  return Number(wait) * 1000
}

interface Asked {
  readonly url: string
  /** Proves that this caller may see the reasons of an unhealthy state; null when the settings are unknown. */
  readonly secret: string | null
}

/** Asks until the server is healthy or the time is up. @throws Refusal with the last answer */
async function answerBy(
  deadline: number,
  { url, secret }: Asked,
  context: Pick<CommandContext, "now">,
): Promise<string> {
  const { get, unreachable } = await import("./support/http-client.ts")
  for (;;) {
    const headers = secret === null ? {} : { [probeHeader]: signProbe(secret, context.now()) }
    const answer = await get({ url, headers, isOwn: true }).catch((error: Error) => error)
    if (!(answer instanceof Error) && answer.status === 200) return answer.body
    if (context.now() >= deadline) {
      if (answer instanceof Error) throw new Refusal(`${url} ${unreachable(answer)}`, { cause: answer })
      throw new Refusal(`${new URL(url).origin} answered ${answer.status}: ${answer.body}`)
    }
    await Bun.sleep(retryMs)
  }
}
