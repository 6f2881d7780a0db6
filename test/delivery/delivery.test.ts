import { expect, test } from "bun:test"
import { temporaryFolder } from "../support/executable.ts"
import { playTrouble, writePeople } from "./play.ts"
import { someTroubles } from "./troubles.ts"

test("whatever trouble a mail server makes, no mail is lost, no refusal for good is asked again, and requests are answered", async () => {
  await using folder = await temporaryFolder()
  const people = await writePeople(folder.path)

  const reports = await Promise.all(someTroubles.map((trouble) => playTrouble(people, trouble)))

  expect(reports.filter(({ faults }) => faults.length > 0)).toEqual([])
}, 120_000)
