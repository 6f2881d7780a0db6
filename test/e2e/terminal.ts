import { type Environment, executable } from "../support/executable.ts"

const patienceMs = 60_000

export interface Conversation extends AsyncDisposable {
  /** Waits until this text is on the screen, after the text of the previous call. */
  sees(text: string): Promise<void>
  types(text: string): void
  /** Sends SIGINT, as Ctrl-C does. */
  interrupts(): void
  /** The exit status. */
  ends(): Promise<number>
  /** All that was shown, control sequences included. */
  shown(): string
}

/** Runs `dist/rewards` with these arguments at a terminal, with only `env` in its environment. */
export const converse = (args: readonly string[], cwd: string, env: Environment = {}): Conversation =>
  converseWith([executable, ...args], cwd, env)

/** Like `converse`, with any program. */
export function converseWith(command: readonly string[], cwd: string, env: Environment): Conversation {
  let shown = ""
  let seen = 0
  let changed = () => {}
  const decoder = new TextDecoder()
  const terminal = new Bun.Terminal({
    cols: 200,
    data(_, bytes) {
      shown += decoder.decode(bytes, { stream: true })
      changed()
    },
  })
  const child = Bun.spawn([...command], {
    cwd,
    env: { TERM: "xterm", ...env },
    terminal,
  })

  return {
    async sees(text) {
      const late = Date.now() + patienceMs
      for (let at = shown.indexOf(text, seen); at < 0; at = shown.indexOf(text, seen)) {
        if (Date.now() > late) throw new Error(`no ${JSON.stringify(text)} in ${JSON.stringify(shown.slice(seen))}`)
        const { promise, resolve } = Promise.withResolvers<void>()
        changed = resolve
        await Promise.race([promise, Bun.sleep(50)])
      }
      seen = shown.indexOf(text, seen) + text.length
    },
    types: (text) => void terminal.write(text),
    interrupts: () => child.kill("SIGINT"),
    ends: () => child.exited,
    shown: () => shown,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL")
      await child.exited
      terminal.close()
    },
  }
}
