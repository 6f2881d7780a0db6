import { existsSync } from "node:fs"
import { resolve } from "node:path"

/*
 * bun run start
 *
 * Builds the executable, writes rewards.toml unless it exists, and serves. It is no line of shell in package.json, because the
 * shell that Bun brings along for Windows has no `exec`.
 */

const isWindows = process.platform === "win32"
const executable = resolve(isWindows ? "dist/rewards.exe" : "dist/rewards")

await done([process.execPath, "build.ts"])
if (!existsSync("rewards.toml")) {
  await done([executable, "init"], "ignore") // what it prints ends with how to start the server
  console.log("Wrote rewards.toml with a new secret.")
}
if (isWindows) process.exit(await run([executable, "serve"]))
process.execve?.(executable, [executable, "serve"], process.env) // so that signals reach the server itself

function run(command: readonly string[], stdout: "inherit" | "ignore" = "inherit"): Promise<number> {
  return Bun.spawn([...command], { stdio: ["inherit", stdout, "inherit"] }).exited
}

/** Ends this process if the command fails. */
async function done(command: readonly string[], stdout?: "inherit" | "ignore") {
  const status = await run(command, stdout)
  if (status !== 0) process.exit(status)
}
