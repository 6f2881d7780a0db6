import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { release } from "./release.ts"
import { targetsNamed } from "./targets.ts"

/*
 * bun run release [--target linux-x64 …] [--out dist/release] [--check]
 *
 * Builds the files of a release. With --check, builds them a second time elsewhere and fails unless both are identical.
 * All times are that of the last commit, or SOURCE_DATE_EPOCH.
 */

const { values } = parseArgs({
  options: {
    target: { type: "string", multiple: true, default: [] },
    out: { type: "string", default: "dist/release" },
    check: { type: "boolean", default: false },
  },
})
const options = { targets: targetsNamed(values.target), date: dateOfSources(), level: 6 as const, tell: console.error }
const sums = await release({ ...options, out: values.out })
console.log(sums.trimEnd())
if (values.check && !(await isSame())) process.exitCode = 1

async function isSame(): Promise<boolean> {
  const elsewhere = await mkdtemp(join(tmpdir(), "rewards-again-"))
  try {
    console.error("once more, to compare")
    const again = (await release({ ...options, out: elsewhere })).split("\n")
    const different = sums.split("\n").filter((line) => !again.includes(line))
    for (const line of different) console.error(`differs: ${line.slice(66)}`)
    if (different.length === 0) console.error("the same, byte for byte")
    return different.length === 0
  } finally {
    await rm(elsewhere, { recursive: true })
  }
}

function dateOfSources(): Date {
  const { SOURCE_DATE_EPOCH } = process.env
  const given = SOURCE_DATE_EPOCH ?? Bun.spawnSync(["git", "log", "-1", "--format=%ct"]).stdout.toString().trim()
  if (!/^\d+$/.test(given)) throw new Error("no commit to take the time from: set SOURCE_DATE_EPOCH (seconds)")
  return new Date(Number(given) * 1000)
}
