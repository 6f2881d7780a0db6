import { expect, test } from "bun:test"
import { auditEntry } from "../../../src/domain/audit/audit-log.ts"
import { hashOf, refusalOf, threePeople } from "./people.ts"
import type { OpenSubject } from "./subject.ts"

export function provisionedPromises(open: OpenSubject) {
  test("an external id finds one user in every store, can be changed and removed, and is compared exactly", async () => {
    await using subject = await open()
    const { provisioned } = subject.store
    const { ana, bruno, carla } = await threePeople(subject.store)
    await provisioned.setExternalId(ana.id, "00u1")
    await provisioned.setExternalId(bruno.id, "00U1")
    await provisioned.setExternalId(ana.id, "00u2")
    const other = (await subject.reopen()).provisioned

    expect(await other.find("00u2")).toBe(ana.id)
    expect(await other.find("00U1")).toBe(bruno.id)
    expect(await other.find("00u1")).toBeNull()
    expect([...(await other.externalIds([ana.id, bruno.id, carla.id, 999]))].toSorted()).toEqual([
      [ana.id, "00u2"],
      [bruno.id, "00U1"],
    ])

    expect(await refusalOf(provisioned.setExternalId(carla.id, "00u2"))).toMatchObject({ code: "external_id_taken" })
    await provisioned.setExternalId(ana.id, null)
    expect(await other.find("00u2")).toBeNull()
    await provisioned.setExternalId(carla.id, "00u2")
    expect(await other.find("00u2")).toBe(carla.id)
  })

  test("a page lists accounts by id, also inactive ones, but no erased ones or their external ids", async () => {
    await using subject = await open()
    const { provisioned, users } = subject.store
    const { ana, bruno, carla } = await threePeople(subject.store)
    await provisioned.setExternalId(bruno.id, "00u1")
    await users.setActive(bruno.id, 500)
    const idsOf = async (skip: number, limit: number) => {
      const page = await provisioned.page(skip, limit)
      return [page.users.map(({ id }) => id), page.total]
    }

    expect((await provisioned.page(0, 1)).users).toEqual([ana])
    expect(await idsOf(0, 2)).toEqual([[ana.id, bruno.id], 3])
    expect(await idsOf(2, 2)).toEqual([[carla.id], 3])
    expect(await idsOf(9, 2)).toEqual([[], 3])
    expect(await idsOf(0, 0)).toEqual([[], 3])

    const replacement = {
      username: "erased-1",
      name: "Erased",
      email: "erased-1@erased.invalid",
      password: hashOf("x"),
    }
    const byOlga = { who: "olga", way: "command line", address: null } as const
    await users.erase(bruno.id, { at: 600, replacement, reasons: "none" }, auditEntry(byOlga, 600, "user_erased"))
    expect(await idsOf(0, 9)).toEqual([[ana.id, carla.id], 2])
    expect(await provisioned.find("00u1")).toBeNull()
  })
}
