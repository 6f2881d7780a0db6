import { command, fileArgs, jsonArg } from "./command.ts"
import { withNewApp } from "./open.ts"
import { json } from "./text.ts"

/** Brings the database up to date, as every other command does on its way. */
export const migrate = command({
  name: "migrate",
  description: "Bring the database up to date",
  example: "rewards migrate --db /var/lib/rewards/rewards.db",
  args: { ...jsonArg, ...fileArgs },
  async run(args, around) {
    const tags = await withNewApp(around, args, async ({ store }) => store.migrated)
    const lines = tags.map((tag) => `Applied ${tag}`)
    await around.print(args.json ? json(tags) : lines.join("\n") || "Nothing to do")
  },
})
