import { withNewApp } from "./support/app.ts"
import { command, fileArgs, jsonArg } from "./support/command.ts"
import { json } from "./support/output.ts"

/** Brings the database up to date, as every command does that opens it. */
export const migrate = command({
  name: "migrate",
  description: "Bring the database up to date",
  example: "rewards migrate --db /var/lib/rewards/rewards.db",
  args: { ...jsonArg, ...fileArgs },
  async run(args, context) {
    const tags = await withNewApp(context, args, async ({ store }) => store.migrated)
    const lines = tags.map((tag) => `Applied ${tag}`)
    await context.print(args.json ? json(tags) : lines.join("\n") || "Nothing to do")
  },
})
