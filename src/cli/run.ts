import type { Command } from "./command.ts"
import { config } from "./config.ts"
import { createUser } from "./create-user.ts"
import { explain, isClosedPipe, UsageError } from "./failures.ts"
import { init } from "./init.ts"
import { migrate } from "./migrate.ts"
import { resetDb } from "./reset-db.ts"
import { serve } from "./serve.ts"
import { shell } from "./shell.ts"
import type { Surroundings } from "./surroundings.ts"
import { visible } from "./text.ts"
import { transaction } from "./transaction.ts"
import { usage, usageOf } from "./usage.ts"
import { userList } from "./user-list.ts"
import { version } from "./version.ts"

/** In the order in which help lists them. */
const commands: readonly Command[] = [
  serve,
  init,
  config,
  createUser,
  userList,
  transaction,
  migrate,
  resetDb,
  shell,
  version,
]

/** Runs one command line and returns the exit status: 0 done, 1 refused or failed, 2 wrong usage. */
export async function runCommandLine(rawArgs: readonly string[], around: Surroundings): Promise<number> {
  const [name, ...rest] = rawArgs
  const command = name === "--version" ? version : commands.find((one) => one.name === name)
  try {
    if (name === undefined) {
      around.tell(await usage(commands, false))
      return 2
    }
    if (isHelp(name)) await around.print(await usage(commands, around.colour))
    else if (!command) throw new UsageError(`unknown ${kindOf(name)}`)
    else if (asksForHelp(rest)) await around.print(await usageOf(command, around.colour))
    else await command.run(rest, around)
    return 0
  } catch (error) {
    if (isClosedPipe(error)) return 0
    around.tell(explain(error))
    if (!(error instanceof UsageError)) return 1
    around.tell(`See: rewards ${command ? `${command.name} ` : ""}--help`)
    return 2
  }
}

const isHelp = (arg: string): boolean => arg === "--help" || arg === "-h"

function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf("--")
  return args.slice(0, end < 0 ? undefined : end).some(isHelp)
}

const kindOf = (name: string): string =>
  name.startsWith("-")
    ? `option ${visible(name.replace(/=.*/s, ""))}; options of a command go behind it`
    : `command ${visible(name)}`
