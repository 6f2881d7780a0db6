import { entries } from "../config/settings.ts"
import { command, fileArgs, jsonArg, settingsOf } from "./support/command.ts"
import { json, table } from "./support/output.ts"

const columns = ["setting", "value", "source"] as const

/** Prints every setting with its value and the source of that value, but no secrets. */
export const config = command({
  name: "config",
  description: "Print every setting with its value and source",
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

/** Replaces a secret. */
const hidden = "(hidden)"
