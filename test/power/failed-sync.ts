import { expect } from "bun:test"
import { folderOnDisk } from "../support/executable.ts"
import { buildRecorder } from "./recorder.ts"
import { runRound } from "./round.ts"

/** Fails a sync of each file, of the database with another process on it too, and cuts the power so often after each. */
export async function failSyncs(cuts: number) {
  await using folder = await folderOnDisk()
  const library = await buildRecorder(folder.path)

  for (const [failing, processes] of [
    ["", 1],
    ["", 2],
    ["-wal", 1],
  ] as const) {
    const seed = Math.floor(Math.random() * 1e6)
    const report = await runRound({ library, processes, cuts, seed, restarts: 1, failing })

    expect({ seed, ...report }).toMatchObject({ seed, images: cuts, losses: [], impossible: [] })
    expect(report.acknowledged).toBeGreaterThan(failing === "" ? 500 : 10)
    if (failing === "") expect({ seed, ...report }.partlyWrittenBack).toBeGreaterThan(0)
  }
}
