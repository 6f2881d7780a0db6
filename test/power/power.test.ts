import { expect, test } from "bun:test"
import { folderOnDisk } from "../support/executable.ts"
import { failSyncs } from "./failed-sync.ts"
import { buildRecorder } from "./recorder.ts"
import { runRound } from "./round.ts"

const anySeed = () => Math.floor(Math.random() * 1e6)

test("a power cut takes back nothing that was acknowledged or shown, and the main thread never syncs", async () => {
  await using folder = await folderOnDisk()
  const library = await buildRecorder(folder.path)

  for (const processes of [1, 2]) {
    const seed = anySeed()
    const report = await runRound({ library, processes, cuts: 30, seed, restarts: 4 })

    expect({ seed, ...report }).toMatchObject({ seed, images: 30, losses: [], impossible: [] })
    if (processes === 1) expect(report.syncsOnMain).toBe(0)
    expect(report.acknowledged).toBeGreaterThan(1000)
    expect(report.shown).toBeGreaterThan(1000)
  }
}, 180_000)

test("after a failed sync nothing is written back, so that a power cut loses nothing", () => failSyncs(8), 300_000)
