import { resolve } from "node:path"
import { version } from "../../package.json"
import { readDatabaseUrl } from "../config/database-url.ts"
import { copy as copyDatabase, SourceFailure } from "../storage/copy/copy.ts"
import type { Rehearsal } from "../storage/maintenance.ts"
import { databaseName, maintenanceOf } from "../storage/open.ts"
import { type Anchor, anchorFrom, anchorText } from "../storage/verify/anchor.ts"
import { recordAction, withNewApp } from "./support/app.ts"
import { flag, option } from "./support/arguments.ts"
import { type CommandContext, command, configOf, fileArgs, jsonArg } from "./support/command.ts"
import { Refusal, UsageError, usingDatabase } from "./support/failures.ts"
import { ask, counted, json, megabytes, newestLine, readSecret, visible } from "./support/terminal.ts"

/** Runs pending migrations, as every command does that opens the database. */
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

/** Tries the upgrade to this version on a copy; a server of an earlier version may have the database open. */
export const upgrade = command({
  name: "upgrade",
  description: "Say what this version would change in the database, tried on a copy",
  example: "rewards upgrade --check --db /var/lib/rewards/rewards.db",
  args: { check: flag("Change nothing: only say what would happen"), ...jsonArg, ...fileArgs },
  async run({ check, ...args }, context) {
    if (!check) throw new UsageError("give --check; `rewards migrate` and the next start change the database")
    const { db } = configOf(context, args)
    const name = databaseName(db)
    const maintenance = await maintenanceOf({ ...db, path: resolve(context.cwd, db.path) })
    if (maintenance.kind === "server") throw new Refusal(`cannot try it on ${name}: ${insteadOfTrial}`)
    context.lowerPriority()
    const rehearsal = await usingDatabase(db, () => maintenance.rehearseUpgrade(context.now()))
    const { faults, neededBytes, freeBytes } = rehearsal
    await context.print(args.json ? json({ version, ...rehearsal }) : rehearsalLines(name, rehearsal).join("\n"))
    if (faults.length > 0) throw new Refusal(`do not upgrade: ${counted(faults.length, "fault")} in the changed copy`)
    if (neededBytes > freeBytes)
      throw new Refusal("there is not enough room for the upgrade; free space on the disk of the database first")
  },
})

const insteadOfTrial =
  "restore a dump of it into an empty database, and run `rewards migrate` there; `rewards doctor` names the migrations"

function rehearsalLines(name: string, rehearsal: Rehearsal): string[] {
  const { pending, faults, backupMs, migrateMs, neededBytes, freeBytes } = rehearsal
  if (pending.length === 0) return [`${name} is up to date: version ${version} changes nothing in it`]
  return [
    `Version ${version} would apply ${counted(pending.length, "migration")} to ${name}: ${pending.join(", ")}`,
    `Tried on a copy: the backup before it took ${seconds(backupMs)}, the migrations ${seconds(migrateMs)}`,
    `It needs up to ${megabytes(neededBytes)} beside the database; ${megabytes(freeBytes)} are free`,
    ...(faults.length === 0 ? ["The changed copy was verified: nothing wrong"] : faults.map(visible)),
  ]
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

/** Checks the database for damage; a server may have it open. */
export const verify = command({
  name: "verify",
  description: "Check the database for damage and lost transactions",
  example: "rewards verify --db /mnt/backups/rewards.db",
  args: {
    accept: flag("Accept the database as it is, and reset its watermark to it"),
    against: option("ID:HASH", "Also check that the history up to this transaction is unchanged"),
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

/** Copies everything from a database file to PostgreSQL, or back. */
export const copy = command({
  name: "copy",
  description: "Copy everything from a database file to PostgreSQL, or back",
  example: "rewards copy --to postgres://rewards@db.example.com/rewards",
  args: {
    to: {
      ...option("TARGET", "URL of an empty PostgreSQL database, a new file, or - to read either from standard input"),
      required: true,
    },
    ...jsonArg,
    ...fileArgs,
  },
  async run({ to, ...args }, context) {
    const from = configOf(context, args).db
    const target = await targetOf(to, context)
    if (from.url === null && target.url === null)
      throw new Refusal("a database file is copied to another file by `rewards backup FILE`")
    const [fromName, toName] = [databaseName(from), databaseName(target)]
    const source = await maintenanceOf({ ...from, path: resolve(context.cwd, from.path) })
    const destination = await maintenanceOf(target)
    context.lowerPriority()
    const begun = Bun.nanoseconds()
    const outcome = await usingDatabase(from, () =>
      source.asSource(async (reading) => {
        try {
          return await usingDatabase(target, () =>
            destination.asTarget((writing) =>
              copyDatabase({ source: reading, target: writing, now: context.now(), onProgress: context.printError }),
            ),
          )
        } catch (error) {
          if (error instanceof SourceFailure) throw error.error
          return { failure: error } // not thrown, or the source would explain it as its own
        }
      }),
    )
    if ("failure" in outcome) throw outcome.failure
    const { transactions, rows } = outcome
    const seconds = (Bun.nanoseconds() - begun) / 1e9
    await recordAction({ database: source, action: "copy", detail: `to ${toName}` }, context)
    await recordAction({ database: destination, action: "copy", detail: `from ${fromName}` }, context)
    if (args.json) return context.print(json({ to: toName, transactions, rows, seconds: Number(seconds.toFixed(3)) }))
    await context.print(
      `Copied ${counted(transactions, "transaction")} to ${toName}; both sides verified and the same ` +
        `(${counted(rows, "row")} in ${seconds.toFixed(1)} s)`,
    )
  },
})

/** @throws UsageError */
async function targetOf(text: string, context: CommandContext) {
  const named = text === "-" ? (await readSecret(context, "URL or file to copy to:")).trim() : text
  if (!/^(postgres(ql)?:|[a-z]+:\/\/)/.test(named)) return { path: resolve(context.cwd, named), url: null }
  const url = readDatabaseUrl(named)
  if ("expected" in url) throw new UsageError(`option --to: expected ${url.expected}`)
  if (text !== "-" && url.password !== "")
    context.printError("the process list shows this password; `--to -` reads the URL from standard input")
  return { path: "", url: named }
}

/** Drops all tables; asks first unless forced (docs/interface/command-line.md). */
export const resetDb = command({
  name: "reset-db",
  description: "Drop all tables",
  example: "rewards reset-db --force",
  args: { force: { ...flag("Do not ask for confirmation"), alias: "f" }, ...fileArgs },
  async run({ force, ...args }, context) {
    const { db } = configOf(context, args)
    const name = databaseName(db)
    if (!force && !context.stdinIsTerminal)
      throw new Refusal(`this would drop all tables of ${name}: confirm with --force`)
    if (!force && !isYes(await ask(context, `Drop all tables of ${name}? [y/N]`)))
      throw new Refusal("nothing was dropped")
    await usingDatabase(db, async () => (await maintenanceOf(db)).reset())
    await context.print(`Dropped all tables of ${name}`)
  },
})

const isYes = (answer: string): boolean => /^\s*y(es)?\s*$/i.test(answer)
