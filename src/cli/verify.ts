import { resolve } from "node:path"
import { verifyFile } from "../storage/sqlite/maintenance/verify.ts"
import { command, databaseFileOf, fileArgs, jsonArg } from "./support/command.ts"
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
    const path = databaseFileOf(context, args)
    const report = await usingDatabase({ path, url: null }, () =>
      verifyFile({ path: resolve(context.cwd, path), accepts }),
    )
    const { transactions, findings } = report
    const lines = findings.map(({ check, fault }) => `${check}: ${visible(fault)}`)
    await context.print(
      args.json ? json(report) : lines.join("\n") || `${counted(transactions ?? 0, "transaction")}, nothing wrong`,
    )

    const left = accepts ? findings.filter(({ check }) => check !== "watermark") : findings
    if (accepts) context.printError(`The watermark now accepts ${path} as it is`)
    if (left.length > 0) throw new Refusal(`${path} is damaged: ${counted(left.length, "finding")}`)
  },
})
