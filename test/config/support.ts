import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { ConfigError, loadConfig } from "../../src/config/load.ts"
import type { Environment, Flags } from "../../src/config/sources.ts"
import { folderForFiles } from "../support/files.ts"

export interface Given {
  /** Text of rewards.toml; absent: no such file. */
  readonly toml?: string
  /** Other files in the same folder. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>
  readonly configPath?: string
  readonly env?: Environment
  readonly flags?: Flags
  readonly underTest?: boolean
}

export const secret = "0123456789abcdef0123456789abcdef"

/** Loads in a folder of its own, with a secret in the environment unless `env` says otherwise. */
export const load = (given: Given = {}) => within(given, (sources) => loadConfig({ ...sources, needsSecret: true }))

/** Like `load`, for a command that signs nothing and so needs no secret. */
export const loadWithoutSecret = (given: Given = {}) =>
  within(given, (sources) => loadConfig({ ...sources, needsSecret: false }))

/** The lines of the refusal. Fails when the settings are accepted. */
export function refusal(given: Given): string[] {
  try {
    load(given)
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split("\n")
    throw error
  }
  throw new Error("nothing was refused")
}

function within<T>(given: Given, run: (sources: Omit<Parameters<typeof loadConfig>[0], "needsSecret">) => T): T {
  const cwd = mkdtempSync(join(folderForFiles(), "rewards-config-"))
  try {
    const files = { ...given.files, ...(given.toml === undefined ? {} : { "rewards.toml": given.toml }) }
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(cwd, name)), { recursive: true })
      writeFileSync(join(cwd, name), text)
    }
    return run({
      cwd,
      configPath: given.configPath ?? null,
      env: { REWARDS_SECURITY__SECRET_KEY: secret, ...given.env },
      flags: given.flags ?? {},
      underTest: given.underTest ?? false,
    })
  } finally {
    rmSync(cwd, { recursive: true })
  }
}
