import { command, configOf, fileArgs } from "./command.ts"
import { Refusal, UsageError } from "./failures.ts"

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
    const { ask, ownUrl, whyNot } = await import("./asking.ts")
    const origin = url ?? ownUrl(configOf(around, args).server)
    if (!/^https?:\/\/[^/]+\/?$/.test(origin)) throw new UsageError("URL must be like http://127.0.0.1:8000")
    const asked = `${origin.replace(/\/$/, "")}${ready ? "/readyz" : "/healthz"}`
    const { status, body } = await ask({ url: asked, isOwn: true }).catch((error) => {
      throw new Refusal(`${asked} ${whyNot(error)}`, { cause: error })
    })
    if (status !== 200) throw new Refusal(`${origin} answered ${status}: ${body}`)
    await around.print(body)
  },
})
