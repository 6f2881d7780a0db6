import { name, version as number } from "../../package.json"
import { command } from "./support/command.ts"

/** Prints the version of this executable and of its Bun runtime. */
export const version = command({
  name: "version",
  description: "Print the version",
  example: "rewards version",
  args: {},
  run: (_, { print }) => print(`${name} ${number} (Bun ${Bun.version})`),
})
