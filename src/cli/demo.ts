import { existsSync, readdirSync } from "node:fs"
import { mkdir, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import type { Config } from "../config/settings.ts"
import { createLog } from "../support/log.ts"
import { writeFirstSettings } from "./config.ts"
import { listenAt, serveUntil } from "./serve.ts"
import { errorsOnly } from "./support/app.ts"
import { option } from "./support/arguments.ts"
import { type CommandContext, command, configWithSecret } from "./support/command.ts"
import { Refusal } from "./support/failures.ts"

/** Serves a company with a year behind it. Reads no setting of this machine, and opens no database but its own. */
export const demo = command({
  name: "demo",
  description: "Serve a company of 60 people with a year of data, to look around in",
  example: "rewards demo --port 8080",
  args: {
    host: option("HOST", "Address to listen on; the default is 127.0.0.1"),
    port: option("PORT", "Port to listen on; the default is 8000, or a free one if that is in use"),
    keep: option("DIR", "New folder that keeps the data, instead of a temporary one that is removed at the end"),
  },
  async run({ host, port, keep }, context) {
    const signal = context.stopSignal()
    const folder = keep === undefined ? await mkdtemp(join(tmpdir(), "rewards-demo-")) : await newFolder(context, keep)
    let isKept = false
    try {
      const inside: CommandContext = { ...context, cwd: folder, env: {} }
      const config = await settingsFor(inside, host, port)
      context.printError(`A company of 60 people lives through a year in ${folder}: a few seconds…`)
      if ((await fill(config, signal, context)) === "stopped") return
      isKept = keep !== undefined
      const welcome = async (url: string) => context.print(await invitation(url))
      const log = errorsOnly(createLog())
      await serveUntil(signal, { config, certificate: null, log, context: inside, args: noFiles, welcome })
    } finally {
      if (!isKept) await rm(folder, { recursive: true, force: true })
    }
    if (isKept) context.printError(`\`rewards serve\` in ${folder} serves it again`)
  },
})

/** @throws Refusal when it holds something */
async function newFolder({ cwd }: CommandContext, keep: string): Promise<string> {
  const folder = resolve(cwd, keep)
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new Refusal(`${keep} is not empty: name a new folder, or run \`rewards serve\` in it if it holds a demo`)
  if (!existsSync(folder)) await mkdir(folder)
  return folder
}

/** With a port that is free now. @throws ConfigError, Refusal */
async function settingsFor(inside: CommandContext, host: string | undefined, port: string | undefined) {
  const settings = (port: string | undefined) =>
    configWithSecret(inside, noFiles, {
      "server.host": host,
      "server.port": port,
      "db.path": join(inside.cwd, "rewards.db"),
      "email.debug_file": join(inside.cwd, "email.log"),
    })
  writeFirstSettings(inside, noFiles)
  const usual = settings(port)
  if (port !== undefined) return listenedBriefly(usual)
  return listenedBriefly(usual).catch(() => listenedBriefly(settings("0")))
}

const noFiles = { config: undefined, db: undefined }

/** @throws Refusal when the port is in use or not allowed, before anybody has waited for the year */
async function listenedBriefly(config: Config): Promise<Config> {
  const { host, port } = config.server
  const names = { host: "--host", port: "--port" }
  const fetch = () => new Response()
  const server = await listenAt({ host, port, settings: names }, () =>
    Bun.serve({ hostname: host, port, reusePort: false, fetch }),
  )
  await server.stop(true)
  return config
}

async function fill({ db }: Config, signal: Promise<string>, { now }: CommandContext): Promise<"filled" | "stopped"> {
  const [{ fillDemo }, { wholeYear }] = await Promise.all([import("./demo/fill.ts"), import("./demo/year.ts")])
  const stop = new AbortController()
  void signal.then(() => stop.abort())
  try {
    await fillDemo({ database: db.path, scale: wholeYear, until: now(), signal: stop.signal })
    return "filled"
  } catch (error) {
    if (stop.signal.aborted) return "stopped"
    throw error
  }
}

async function invitation(url: string): Promise<string> {
  const { logIns, password } = await import("./demo/company.ts")
  const people = logIns.map(({ username, role }) => `${username} (${role})`)
  return `Open ${url} and log in as ${people.slice(0, -1).join(", ")} or ${people.at(-1)} with the password "${password}"`
}
