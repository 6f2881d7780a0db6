import { expect, test } from "bun:test"
import { temporaryFolder } from "../support/executable.ts"
import { someFaults } from "./faults.ts"
import { runScenario, writePeople } from "./scenario.ts"

test("with a faulty mail server no mail is lost, no permanently refused mail is retried, and requests are answered", async () => {
  await using folder = await temporaryFolder()
  const people = await writePeople(folder.path)

  const reports = await Promise.all(someFaults.map((fault) => runScenario(people, fault)))

  expect(reports.filter(({ violations }) => violations.length > 0)).toEqual([])
}, 120_000)
