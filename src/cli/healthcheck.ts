import { get, type IncomingMessage } from "node:http"
import { text } from "node:stream/consumers"
import { command, configOf, fileArgs } from "./command.ts"
import { codeOf, Refusal, UsageError } from "./failures.ts"

const patienceMs = 5000

/** Asks the server of these settings how it is: for containers, which have no other program to ask with. */
export const healthcheck = command({
  name: "healthcheck",
  description: "Ask the running server whether it lives",
  example: "rewards healthcheck --ready",
  args: {
    ready: { type: "boolean", description: "Also whether it can do its work, as /readyz tells" },
    url: { type: "string", valueHint: "URL", description: "Where it listens, instead of server.host and server.port" },
    ...fileArgs,
  },
  async run({ ready, url, ...args }, around) {
    const { host, port } = configOf(around, args).server
    const origin = url ?? `http://${reachable(host)}:${port}`
    if (!/^http:\/\/[^/]+\/?$/.test(origin)) throw new UsageError("URL must be like http://127.0.0.1:8000")
    const { status, body } = await ask(`${origin.replace(/\/$/, "")}${ready ? "/readyz" : "/healthz"}`)
    if (status !== 200) throw new Refusal(`${origin} answered ${status}: ${body}`)
    await around.print(body)
  },
})

/** A server that listens everywhere is asked on the loopback. */
function reachable(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1"
  if (host === "::") return "[::1]"
  return host.includes(":") ? `[${host}]` : host
}

/** Not fetch: that one would ask a proxy which the environment names for other things. */
async function ask(url: string): Promise<{ readonly status: number | undefined; readonly body: string }> {
  const signal = AbortSignal.timeout(patienceMs)
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      get(url, { signal, agent: false }, resolve).on("error", reject)
    })
    return { status: response.statusCode, body: await text(response) }
  } catch (error) {
    const reason = signal.aborted ? `did not answer within ${patienceMs / 1000} s` : `cannot be asked: ${codeOf(error)}`
    throw new Refusal(`${url} ${reason}`, { cause: error })
  }
}
