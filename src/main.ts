import { readFileSync } from "node:fs"
import { constants, setPriority, userInfo } from "node:os"
import { runCommandLine } from "./cli/run.ts"
import { type CommandContext, userNameOf } from "./cli/support/command.ts"
import { writeAll } from "./support/log.ts"

// Files that this process creates are accessible only to its user.
process.umask(0o077)

const context: CommandContext = {
  cwd: process.cwd(),
  env: process.env,
  underTest: process.env.NODE_ENV === "test",
  pid: process.pid,
  program: Bun.isStandaloneExecutable ? [process.execPath] : [process.execPath, Bun.main],
  get user() {
    return userName()
  },
  now: Date.now,
  // Not `process.stdout.isTTY`, because using that stream makes a shared pipe non-blocking, and log lines would fail with EAGAIN.
  get colour() {
    return isTerminal(1) && !process.env.NO_COLOR
  },
  get stdoutIsTerminal() {
    return isTerminal(1)
  },
  get stdinIsTerminal() {
    return isTerminal(0)
  },
  get stdin() {
    return process.stdin
  },
  get stdout() {
    return process.stdout
  },
  async print(text) {
    await Bun.write(Bun.stdout, `${text}\n`)
  },
  async write(text) {
    await Bun.write(Bun.stdout, text)
  },
  async writeFile(path) {
    await Bun.write(Bun.stdout, Bun.file(path))
  },
  lowerPriority() {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  },
  printError(text) {
    writeAll(2, `${text}\n`)
  },
  stopSignal,
  exit: process.exit,
}

process.exit(await runCommandLine(process.argv.slice(2), context))

function stopSignal(): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  let signalledAt: number | undefined
  const onSignal = (signal: string, number: number) => {
    // One Ctrl-C may arrive twice: from the terminal, and forwarded by the parent process.
    if (signalledAt !== undefined && performance.now() - signalledAt > 500) process.exit(128 + number)
    signalledAt ??= performance.now()
    resolve(signal)
  }
  process.on("SIGTERM", onSignal)
  process.on("SIGINT", onSignal)
  return promise
}

/** Loaded on first use, because only a few commands need it. */
function isTerminal(descriptor: number): boolean {
  return process.getBuiltinModule("node:tty").isatty(descriptor)
}

/** Looked up by user id, because anyone can set the variable USER. USER counts only if the id is not listed. */
function userName(): string {
  const uid = process.getuid?.()
  if (uid === undefined) return userInfo().username // Windows
  return userNameOf(systemUsers(), uid) ?? process.env.USER ?? `user ${uid}`
}

/** Empty in a container without /etc/passwd. */
function systemUsers(): string {
  try {
    return readFileSync("/etc/passwd", "utf8")
  } catch {
    return ""
  }
}
