import { resolve } from "node:path"
import { databaseName, maintenanceOf } from "../storage/open.ts"
import { type Anchor, anchorFrom, anchorText } from "../storage/verify/anchor.ts"
import { command, configOf, fileArgs, jsonArg } from "./support/command.ts"
import { Refusal, UsageError, usingDatabase } from "./support/failures.ts"
import { counted, json, newestLine, visible } from "./support/output.ts"

/** Checks the database for damage; a server may have it open. */
export const verify = command({
  name: "verify",
  description: "Check the database for damage and lost transactions",
  example: "rewards verify --db /mnt/backups/rewards.db",
  args: {
    accept: { type: "boolean", description: "Go on with the database as it is: its watermark follows it from here" },
    against: {
      type: "string",
      valueHint: "ID:HASH",
      description: "Also check that the history up to there is the one that was noted",
    },
    ...jsonArg,
    ...fileArgs,
  },
  async run({ accept: accepts = false, against, ...args }, context) {
    const anchor = against === undefined ? null : anchorFrom(against)
    if (against !== undefined && anchor === null)
      throw new UsageError("--against must be ID:HASH, as `rewards verify` and `rewards backup` print it")
    let newest: string | null = null
    const anchoring = {
      against: anchor,
      onNewest(found: Anchor) {
        newest = anchorText(found)
      },
    }
    const { db } = configOf(context, args)
    const name = databaseName(db)
    const onProgress = (transactions: number) => context.printError(`${counted(transactions, "transaction")} read`)
    const report = await usingDatabase(db, async () => {
      const maintenance = await maintenanceOf({ ...db, path: resolve(context.cwd, db.path) })
      return maintenance.verify({ accepts, onProgress, anchoring })
    })
    const { transactions, findings } = report
    const lines = findings.map(({ check, fault }) => `${check}: ${visible(fault)}`)
    await context.print(
      args.json
        ? json({ ...report, newest })
        : lines.join("\n") ||
            [`${counted(transactions ?? 0, "transaction")}, nothing wrong`, ...newestLine(newest)].join("\n"),
    )

    const left = accepts ? findings.filter(({ check }) => check !== "watermark") : findings
    if (accepts) context.printError(`The watermark now accepts ${name} as it is`)
    if (left.length > 0) throw new Refusal(`${name} is damaged: ${counted(left.length, "finding")}`)
  },
})
