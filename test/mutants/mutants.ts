import { join } from "node:path"
import { type Mistake, mistakes } from "./mistakes.ts"

/*
 * bun test/mutants/mutants.ts [WORD...]
 *
 * Runs the tests of the stores with mistakes in their sources, one after the other: the contract on PostgreSQL, or the
 * tests that the mistake names. With words, only the mistakes whose names contain one of them. Prints which tests notice
 * each mistake. Exit status 1 when a mistake stays unnoticed.
 */

const root = join(import.meta.dir, "../..")
const words = process.argv.slice(2)
const chosen = mistakes.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)))
const noticed = chosen.map((mistake) => [mistake.name, failuresWith(mistake)] as const)

for (const [name, failures] of noticed)
  console.log(`${name}: ${failures.length === 0 ? "UNNOTICED" : failures.map((test) => `\n  ${test}`).join("")}`)
const unnoticed = noticed.filter(([, failures]) => failures.length === 0)
console.log(`${noticed.length} mistakes, ${unnoticed.length} unnoticed`)
if (unnoticed.length > 0) process.exitCode = 1

/** The tests that fail. @throws when none ran */
function failuresWith({ name, noticedBy }: Mistake): string[] {
  const tests =
    "tests" in noticedBy
      ? [noticedBy.tests]
      : [
          "test/storage/postgres/contract.postgres.test.ts",
          "--test-name-pattern",
          `store about ${RegExp.escape(noticedBy.suite)} `,
        ]
  const { stderr } = Bun.spawnSync(
    [process.execPath, "test", "--timeout", "60000", "--preload", "./test/mutants/plant.ts", ...tests],
    { cwd: root, env: { ...process.env, PLANTED_MISTAKE: name, NO_COLOR: "1" }, stdout: "ignore", stderr: "pipe" },
  )
  const output = stderr.toString()
  if (!/^Ran [1-9]\d* tests? across 1 file/m.test(output)) throw new Error(`no test ran with "${name}":\n${output}`)
  return [...output.matchAll(/^\(fail\) (.+?)(?: \[[\d.]+ms\])?$/gm)].map(([, test = ""]) => test)
}
