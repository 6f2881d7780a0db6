import { expect, test } from "bun:test"
import { faults, promote, type RoundReport, runRound } from "./rounds.ts"
import { startWorld, type World } from "./world.ts"

const senders = 16

const summaryOf = async (world: World, reports: readonly RoundReport[]) => ({
  faults: [...reports.flatMap((report) => report.faults), ...(await world.verify())],
  acknowledged: reports.every(({ acknowledged }) => acknowledged > 0),
})

test("when processes or PostgreSQL are killed, nothing acknowledged is lost and nothing is done twice", async () => {
  await using world = await startWorld()
  const reports: RoundReport[] = []
  for (const [name, fault] of Object.entries(faults)) reports.push(await runRound(world, name, fault, senders))

  expect(await summaryOf(world, reports)).toEqual({ faults: [], acknowledged: true })
}, 300_000)

test("when the primary is killed and its synchronous standby promoted, nothing acknowledged is lost", async () => {
  await using world = await startWorld({ withStandby: true })
  const reports = [await runRound(world, "promoted", promote, senders)]

  expect(await summaryOf(world, reports)).toEqual({ faults: [], acknowledged: true })
}, 300_000)
