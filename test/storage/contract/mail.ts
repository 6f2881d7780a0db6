import { expect, test } from "bun:test"
import { languages } from "../../../src/domain/languages.ts"
import { allow, person, threePeople } from "./people.ts"
import type { OpenSubject } from "./subject.ts"

export function mailPromises(open: OpenSubject) {
  test("the default is a daily mail in the language of the service; mail and language are chosen separately", async () => {
    await using subject = await open()
    const { ana, bruno } = await threePeople(subject.store)
    const { mail } = subject.store
    expect(await mail.choiceOf(ana.id)).toEqual({ mail: "daily", language: null })

    for (const language of languages)
      expect(await mail.choose(ana.id, { language })).toEqual({ mail: "daily", language })
    expect(await mail.choose(ana.id, { mail: "each" })).toEqual({ mail: "each", language: "pt" })
    expect(await mail.choose(ana.id, {})).toEqual({ mail: "each", language: "pt" })
    expect(await mail.choose(ana.id, { language: null })).toEqual({ mail: "each", language: null })
    const other = await subject.reopen()
    expect([await other.mail.choiceOf(ana.id), await other.mail.choiceOf(bruno.id)]).toEqual([
      { mail: "each", language: null },
      { mail: "daily", language: null },
    ])
  })

  test("readers are the active people who chose that mail, in ascending order, up to the limit", async () => {
    await using subject = await open()
    const { ana, bruno, carla } = await threePeople(subject.store)
    const { ledger, mail, users } = subject.store
    await mail.choose(bruno.id, { mail: "each" })
    await ledger.post({ kind: "transfer", senderId: bruno.id, receiverId: carla.id, value: 5, date: 5 }, allow)
    const idsOf = async (...asked: Parameters<typeof mail.readers>) =>
      (await mail.readers(...asked)).map(({ id }) => id)

    expect(await mail.readers(["daily"], 0, 10)).toEqual([
      { id: ana.id, dept: "sales", balance: 0, reports: 0 },
      { id: carla.id, dept: "sales", balance: 5, reports: 0 },
    ])
    expect(await idsOf(["daily", "each"], 0, 2)).toEqual([ana.id, bruno.id])
    expect(await idsOf(["daily", "each"], bruno.id, 2)).toEqual([carla.id])
    await users.setActive(carla.id, 9)
    await mail.choose(ana.id, { mail: "off" })
    expect(await idsOf(["daily", "each"], 0, 10)).toEqual([bruno.id])
  })

  test("a reader's reports are counted, and newcomers are the active people with a manager who began on that day", async () => {
    await using subject = await open()
    const { ana, bruno, carla } = await threePeople(subject.store)
    const { mail, users } = subject.store
    const dora = await users.create(person("Dora"))
    const joined = "2026-02-28"
    for (const { id } of [bruno, carla]) await users.correct(id, { joined, managerId: ana.id }, [])
    await users.correct(dora.id, { joined }, [])
    const reportsOf = async () => (await mail.readers(["daily"], 0, 10)).map(({ reports }) => reports)

    expect(await reportsOf()).toEqual([2, 0, 0, 0])
    expect(await mail.newcomers(joined, 0, 10)).toEqual([bruno.id, carla.id])
    expect(await mail.newcomers(joined, 0, 1)).toEqual([bruno.id])
    expect(await mail.newcomers(joined, bruno.id, 10)).toEqual([carla.id])
    expect(await mail.newcomers("2026-03-01", 0, 10)).toEqual([])
    await users.setActive(bruno.id, 9)
    expect([await reportsOf(), await mail.newcomers(joined, 0, 10)]).toEqual([[1, 0, 0], [carla.id]])
  })

  test("recognitions are mailed at once to active receivers who chose that", async () => {
    await using subject = await open()
    const { ana, bruno, carla } = await threePeople(subject.store)
    const { mail, users, ledger } = subject.store
    await mail.choose(bruno.id, { mail: "each" })
    await mail.choose(carla.id, { mail: "each" })
    const send = (sender: typeof ana, receiver: typeof ana, kind: "transfer" | "grant" = "transfer") =>
      ledger.post({ kind, senderId: sender.id, receiverId: receiver.id, value: 1, date: 5 }, allow)
    const { id: first } = await send(ana, bruno)
    await send(ana, bruno, "grant")
    await send(bruno, bruno)
    await send(bruno, ana)
    const { id: last } = await send(ana, carla)

    expect(await mail.recognitionsToMail(0, last)).toEqual([first, last])
    expect([await mail.recognitionsToMail(first, last), await mail.recognitionsToMail(0, last - 1)]).toEqual([
      [last],
      [first],
    ])
    await users.setActive(carla.id, 9)
    expect(await mail.recognitionsToMail(0, last)).toEqual([first])
  })
}
