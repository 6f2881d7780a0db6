import { expect, test } from "bun:test"
import { createCalendar } from "../../../src/domain/calendar.ts"
import { createOccasions } from "../../../src/domain/occasions/occasions.ts"
import { adminUsername } from "../../../src/domain/people/users.ts"
import { defaultProgramme, type Programme } from "../../../src/domain/programme/model.ts"
import type { Recognition } from "../../../src/domain/recognition/model.ts"
import type { Store } from "../../../src/domain/store.ts"
import { openStore } from "../../../src/storage/sqlite/store.ts"
import { person } from "../../storage/contract/people.ts"
import { silent, testFolder } from "../../storage/files.ts"

const hour = 3_600_000
const demandSuccess = (error: unknown) => {
  throw error
}

const { birthday, anniversary, first_day: firstDay } = defaultProgramme.occasions
const programme: Programme = {
  ...defaultProgramme,
  occasions: {
    birthday: { ...birthday, points: 10, active: true },
    anniversary: { ...anniversary, points: 0, active: true },
    first_day: { ...firstDay, points: 3, active: true },
  },
}

/** Three processes on one database, with a clock that the test moves. */
async function openCompany(zone: string) {
  const folder = await testFolder()
  const clock = { now: 0 }
  const calendar = createCalendar(zone)
  const open = async () => {
    const store = await openStore({ path: folder.file("rewards.db"), verifyMb: 0, log: silent })
    const rules = createOccasions({ store, programme: async () => programme, clock: () => clock.now, calendar })
    return { store, rules }
  }
  const openAll = async () => [await open(), await open(), await open()] as const
  let processes = await openAll()
  await processes[0].store.users.create(person("Admin", { username: adminUsername, dept: "management" }))

  return {
    calendar,
    store: () => processes[0].store,
    rules: () => processes[0].rules,
    /** All processes look at this moment, at the same time. */
    async look(at: number) {
      clock.now = at
      await Promise.all(processes.map(({ rules }) => rules.celebrateDue(demandSuccess)))
    },
    async restart() {
      for (const { store } of processes) await store.close()
      processes = await openAll()
    },
    async [Symbol.asyncDispose]() {
      for (const { store } of processes) await store.close()
      await folder[Symbol.asyncDispose]()
    },
  }
}

interface Days {
  readonly birthday?: string
  readonly joined?: string
  readonly celebrates?: boolean
}

async function join({ users }: Store, name: string, { celebrates, ...days }: Days) {
  const user = await users.create(person(name))
  if (celebrates !== undefined) await users.updateProfile(user.id, { celebrates })
  return users.correct(user.id, days)
}

async function feedOf({ recognitions }: Store): Promise<Recognition[]> {
  const all: Recognition[] = []
  for (let before: number | undefined; ; ) {
    const page = await recognitions.newest({ participantIds: [], before, limit: 100 })
    if (page.length === 0) return all.reverse()
    all.push(...page)
    before = page.at(-1)?.id
  }
}

const days = (first: string, last: string): Temporal.PlainDate[] => {
  const end = Temporal.PlainDate.from(last)
  const all: Temporal.PlainDate[] = []
  for (let date = Temporal.PlainDate.from(first); Temporal.PlainDate.compare(date, end) <= 0; ) {
    all.push(date)
    date = date.add({ days: 1 })
  }
  return all
}

// Clocks of New York and Lord Howe change; Apia and Kiritimati are a day apart from UTC for half of it.
for (const zone of ["UTC", "America/New_York", "Australia/Lord_Howe", "Pacific/Apia", "Pacific/Kiritimati"])
  test(`in four years, each occasion is celebrated once, at nine, by several processes, in ${zone}`, async () => {
    await using company = await openCompany(zone)
    const { calendar, store, look } = company
    await join(store(), "Leap", { birthday: "02-29", joined: "2024-02-29", celebrates: true })
    await join(store(), "Eve", { birthday: "02-28", celebrates: true })
    await join(store(), "New", { birthday: "12-31", joined: "2027-03-14", celebrates: true })
    await join(store(), "Silent", { birthday: "06-01", joined: "2025-06-01" })
    await join(store(), "Shy", { birthday: "06-01", joined: "2025-06-01", celebrates: false })
    const gone = await join(store(), "Gone", { birthday: "07-01", joined: "2020-01-01", celebrates: true })
    await join(store(), "Down", { birthday: "09-10", joined: "2026-11-20", celebrates: true })
    await join(store(), "Admin2", { birthday: "10-25", joined: "2001-10-25", celebrates: true })

    for (const [index, date] of days("2026-01-01", "2029-12-31").entries()) {
      const day = date.toString()
      const nine = calendar.momentOf(date, "09:00")
      if (day === "2028-01-01") await store().users.setActive(gone.id, nine)
      // Down for the whole day.
      if (day.endsWith("-09-10")) continue
      // Down until the evening.
      if (day.endsWith("-11-20")) {
        await look(nine + 10 * hour)
        continue
      }
      await look(nine - 1)
      await look(nine)
      if (index % 3 === 0) await look(nine + 13 * hour)
      // Somebody sets the clock back by some hours, or by a day.
      if (index % 11 === 5 && !day.endsWith("-09-11")) await look(nine + 1 - (index % 2 === 0 ? 24 : 5) * hour)
      if (index % 200 === 199) await company.restart()
    }

    const said = (await feedOf(store())).map(({ receiver, occasion, date }) => {
      const at = Temporal.Instant.fromEpochMilliseconds(date).toZonedDateTimeISO(zone).toPlainDateTime()
      return `${at.toString({ smallestUnit: "minute" })} ${receiver.username} ${occasion?.kind} ${occasion?.years ?? ""}`
    })
    const year = (year: number) => [
      ...(year < 2028 ? [`${year}-01-01T09:00 gone anniversary ${year - 2020}`] : []),
      ...(year === 2028
        ? ["2028-02-28T09:00 eve birthday ", "2028-02-29T09:00 leap birthday ", "2028-02-29T09:00 leap anniversary 4"]
        : [
            `${year}-02-28T09:00 leap birthday `,
            `${year}-02-28T09:00 leap anniversary ${year - 2024}`,
            `${year}-02-28T09:00 eve birthday `,
          ]),
      ...(year === 2027 ? ["2027-03-14T09:00 new first_day "] : []),
      ...(year > 2027 ? [`${year}-03-14T09:00 new anniversary ${year - 2027}`] : []),
      `${year}-06-01T09:00 silent anniversary ${year - 2025}`,
      ...(year < 2028 ? [`${year}-07-01T09:00 gone birthday `] : []),
      `${year}-10-25T09:00 admin2 birthday `,
      `${year}-10-25T09:00 admin2 anniversary ${year - 2001}`,
      year === 2026 ? "2026-11-20T19:00 down first_day " : `${year}-11-20T19:00 down anniversary ${year - 2026}`,
      `${year}-12-31T09:00 new birthday `,
    ]
    expect(said).toEqual([2026, 2027, 2028, 2029].flatMap(year))
    const points = said.reduce((sum, text) => sum + (/birthday/.test(text) ? 10 : /first_day/.test(text) ? 3 : 0), 0)
    const admin = await store().users.byUsername(adminUsername)
    expect(await store().users.balanceOf(admin?.id ?? 0)).toBe(-points)
  }, 120_000)

test("what will be celebrated is listed for at most 62 days, without what people keep to themselves", async () => {
  await using company = await openCompany("Europe/Lisbon")
  const { store, rules } = company
  await join(store(), "Leap", { birthday: "02-29", celebrates: true })
  await join(store(), "Silent", { birthday: "03-01", joined: "2025-03-01" })
  await join(store(), "Shy", { birthday: "03-01", joined: "2025-03-01", celebrates: false })
  const listed = async (from: string, to: string) =>
    (await rules().page({ from, to })).items.map(({ date, username, kind, years }) => [date, username, kind, years])

  expect(await listed("2026-02-01", "2026-03-31")).toEqual([
    ["2026-02-28", "leap", "birthday", null],
    ["2026-03-01", "silent", "anniversary", 1],
  ])
  expect(await listed("2028-02-28", "2028-02-28")).toEqual([])
  expect(await listed("2025-03-01", "2025-05-01")).toEqual([["2025-03-01", "silent", "first_day", null]])
  expect(await rules().page({ from: "9999-12-31" })).toEqual({ items: [], next: null })
  for (const [from, to, refusal] of [
    ["2026-02-30", "2026-03-01", "from: a day, YYYY-MM-DD"],
    ["2026-02-01", "2026-01-31", "to: not before from"],
    ["2026-01-01", "2026-03-04", "to: at most 61 days after from"],
  ] as const)
    expect(
      await rules()
        .page({ from, to })
        .catch((error: Error) => error.message),
    ).toBe(refusal)
})
