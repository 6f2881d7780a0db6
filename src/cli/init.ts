import { closeSync, fsyncSync, openSync, rmSync, writeSync } from "node:fs"
import { resolve } from "node:path"
import { configTemplate } from "../config/template.ts"
import { command, fileArgs } from "./command.ts"
import { codeOf, Refusal } from "./failures.ts"

const secretBytes = 32

/** Writes a commented file of settings with a random secret, readable by its owner alone; never over another. */
export const init = command({
  name: "init",
  description: "Write a rewards.toml with a new secret",
  example: "rewards init",
  args: { config: { ...fileArgs.config, description: "The file to write, instead of rewards.toml" } },
  async run({ config: file = "rewards.toml" }, { cwd, print }) {
    const secretKey = crypto
      .getRandomValues(new Uint8Array(secretBytes))
      .toBase64({ alphabet: "base64url", omitPadding: true })
    writeNew(resolve(cwd, file), file, configTemplate({ secretKey }))
    const serve = file === "rewards.toml" ? "rewards serve" : `rewards serve --config ${file}`
    await print(`Wrote ${file} with a new secret. Next: look through its settings, then start with: ${serve}`)
  },
})

function writeNew(path: string, file: string, text: string) {
  const handle = openNew(path, file)
  try {
    writeSync(handle, text)
    fsyncSync(handle)
  } catch (error) {
    rmSync(path) // half a file would stand in the way of the next try
    throw error
  } finally {
    closeSync(handle)
  }
}

function openNew(path: string, file: string): number {
  try {
    return openSync(path, "wx", 0o600)
  } catch (error) {
    if (codeOf(error) === "EEXIST") throw new Refusal(`${file} exists already and is left as it is`)
    throw new Refusal(`cannot write ${file}: ${codeOf(error)}; see that its folder exists and belongs to this user`)
  }
}
