import type { CommandResult } from "./executable.ts"

interface Script {
  readonly cwd: string
  readonly script: string
  readonly env: Readonly<Record<string, string>>
}

/** Runs a script in bash, up to the first command that fails. */
export async function inBash({ cwd, script, env }: Script): Promise<CommandResult> {
  const child = Bun.spawn(["bash", "-euc", script], {
    cwd,
    env,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    timeout: 110_000,
  })
  const [status, stdout, stderr] = await Promise.all([
    child.exited,
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  return { status, stdout, stderr }
}
