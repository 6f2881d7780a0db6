import { type ArgsDef, renderUsage } from "citty"
import { description, name as tool, version } from "../../package.json"
import type { Command } from "./command.ts"

/** What the tool can do, a line a command. */
export async function usage(commands: readonly Command[], colour: boolean): Promise<string> {
  const subCommands = Object.fromEntries(commands.map((one) => [one.name, definition(one)]))
  return shown(await renderUsage({ meta: { name: tool, version, description }, subCommands }), colour)
}

/** What one command takes, with an example. */
export async function usageOf(command: Command, colour: boolean): Promise<string> {
  const text = await renderUsage(definition(command), { meta: { name: tool, version } })
  return shown(`${text}\nEXAMPLE\n\n  ${command.example}`, colour)
}

const help = { help: { type: "boolean", alias: "h", description: "Print this" } } as const satisfies ArgsDef

const definition = ({ name, description, args }: Command) => ({
  meta: { name, description },
  args: { ...args, ...help },
})

/** citty does not ask whether it writes to a terminal, and leaves spaces behind. */
const shown = (text: string, colour: boolean): string =>
  (colour ? text : Bun.stripANSI(text)).replace(/ +((\u001b\[\d+m)*)$/gm, "$1").trimEnd()
