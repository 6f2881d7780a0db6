import { resolve } from "node:path"
import { databaseName, maintenanceOf } from "../storage/open.ts"
import { command, configOf, fileArgs, jsonArg } from "./support/command.ts"
import { Refusal, usingDatabase } from "./support/failures.ts"
import { counted, json, visible } from "./support/output.ts"

/** Checks the database for damage; a server may have it open. */
export const verify = command({
  name: "verify",
  description: "Check the database for damage and lost transactions",
  example: "rewards verify --db /mnt/backups/rewards.db",
  args: {
    accept: { type: "boolean", description: "Go on with the database as it is: its watermark follows it from here" },
    ...jsonArg,
    ...fileArgs,
  },
  async run({ accept: accepts = false, ...args }, context) {
    const { db } = configOf(context, args)
    const name = databaseName(db)
    const onProgress = (transactions: number) => context.printError(`${counted(transactions, "transaction")} read`)
    const report = await usingDatabase(db, async () => {
      const maintenance = await maintenanceOf({ ...db, path: resolve(context.cwd, db.path) })
      return maintenance.verify({ accepts, onProgress })
    })
    const { transactions, findings } = report
    const lines = findings.map(({ check, fault }) => `${check}: ${visible(fault)}`)
    await context.print(
      args.json ? json(report) : lines.join("\n") || `${counted(transactions ?? 0, "transaction")}, nothing wrong`,
    )

    const left = accepts ? findings.filter(({ check }) => check !== "watermark") : findings
    if (accepts) context.printError(`The watermark now accepts ${name} as it is`)
    if (left.length > 0) throw new Refusal(`${name} is damaged: ${counted(left.length, "finding")}`)
  },
})
