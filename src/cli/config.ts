import { entries } from "../config/settings.ts"
import { command, fileArgs, jsonArg, settingsOf } from "./support/command.ts"
import { json, table } from "./support/output.ts"

const columns = ["setting", "value", "source"] as const

/** Prints every setting with the value in force and where it comes from; secrets are never shown. */
export const config = command({
  name: "config",
  description: "Print the settings in force and where they come from",
  example: "rewards config --json",
  args: { ...jsonArg, ...fileArgs },
  async run(args, context) {
    const secrets = new Set(entries.filter(({ setting }) => setting.secret).map(({ path }) => path))
    const shown = settingsOf(context, args).map(({ path, value, source }) => ({
      setting: path,
      value: value !== null && secrets.has(path) ? hidden : value,
      source,
    }))
    const rows = shown.map(({ setting, value, source }) => [
      setting,
      value === null ? "" : JSON.stringify(value),
      source,
    ])
    await context.print(args.json ? json(shown) : table(columns, rows))
  },
})

/** In the place of a secret. */
const hidden = "(hidden)"
