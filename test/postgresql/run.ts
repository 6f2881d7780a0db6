import { expect, test } from "bun:test"
import { join } from "node:path"

const timeoutMs = 600_000

const root = join(import.meta.dir, "../..")

/** The path of a suite. */
export const fileOf = (suite: string) => join(root, `test/${suite}.test.ts`)

/** Runs the suites with PostgreSQL, in a process of their own. */
export function holdsOnPostgresql(
  name: string,
  suites: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): void {
  test(
    name,
    async () => expect(await run(suites, environment)).toEqual({ failures: "", suites: suites.length }),
    timeoutMs,
  )
}

/** What the suites printed if anything failed, and how many ran. */
async function run(suites: readonly string[], environment: Readonly<Record<string, string>>) {
  const child = Bun.spawn([process.execPath, "test", "--timeout", "120000", ...suites.map(fileOf)], {
    cwd: root,
    env: { ...process.env, REWARDS_TEST_STORE: "postgresql", ...environment },
    stdio: ["ignore", "ignore", "pipe"],
  })
  const told = await new Response(child.stderr).text()
  const failures = (await child.exited) === 0 ? "" : told
  return { failures, suites: Number(/^Ran \d+ tests across (\d+) files/m.exec(told)?.[1]) }
}
