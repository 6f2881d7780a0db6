import { command, fileArgs, jsonArg, withFileOptions } from "./support/command.ts"
import { Refusal } from "./support/failures.ts"
import { json, table } from "./support/terminal.ts"

const columns = ["verdict", "check", "finding"] as const

/** Checks settings, files, database, mail and server for problems. Changes nothing. */
export const doctor = command({
  name: "doctor",
  description: "Check settings, files, database, mail and server for problems",
  example: "rewards doctor",
  args: { ...jsonArg, ...fileArgs },
  async run(args, context) {
    const { runChecks } = await import("./doctor/checks.ts")
    const found = await runChecks(context, args)
    const findings = found.map(({ cure, ...finding }) => ({ ...finding, cure: cure && withFileOptions(cure, args) }))
    const rows = findings.map(({ verdict, check, message, cure }) => [
      verdict,
      check,
      cure === null ? message : `${message}; ${cure}`,
    ])
    await context.print(args.json ? json(findings) : table(columns, rows))
    const count = findings.filter(({ verdict }) => verdict === "bad").length
    if (count > 0) throw new Refusal(`${count === 1 ? "1 finding is" : `${count} findings are`} bad`)
  },
})
