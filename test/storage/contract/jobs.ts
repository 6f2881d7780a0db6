import { expect, test } from "bun:test"
import type { AuditAction, AuditEntry } from "../../../src/domain/audit/ports.ts"
import {
  invitationKind,
  pushKind,
  resetMailKind,
  slackGiveKind,
  thanksMailKind,
} from "../../../src/domain/jobs/jobs.ts"
import { type JobOutcome, lanes, type NewJob } from "../../../src/domain/jobs/ports.ts"
import type { OpenSubject } from "./subject.ts"

const lease = 60_000

const auditOf = (action: AuditAction): AuditEntry => ({
  ...{ at: 70_000, action, who: "admin", whom: null, way: "http", address: null },
  ...{ count: 1, detail: null, before: null, after: null },
})

const job = (fields: Partial<NewJob> = {}): NewJob => ({
  kind: "mail",
  payload: { email: "ana@example.com" },
  maxAttempts: 3,
  retryUntil: 900_000,
  runAt: 1_000,
  createdAt: 500,
  ...fields,
})

export function jobPromises(open: OpenSubject) {
  test("a queued job waits, with its payload unchanged", async () => {
    await using subject = await open()
    const payload = { email: "åsa@example.com", nested: [1, "two", null, { three: true }] }

    const queued = await subject.store.jobs.enqueue(job({ payload }))

    expect(queued).toEqual({
      ...job({ payload }),
      id: 1,
      state: "available",
      attempts: 0,
      lockedBy: null,
      lockedUntil: null,
      lastError: null,
      result: null,
      finishedAt: null,
    })
    const other = await subject.reopen()
    const claimed = await other.jobs.claim("w1", 1_000, lease, "mail")
    expect(claimed).toEqual({ ...queued, state: "running", attempts: 1, lockedBy: "w1", lockedUntil: 61_000 })
  })

  test("a payload can contain any text", async () => {
    await using subject = await open()
    const { jobs } = subject.store
    for (const email of ["nul \0", "half a pair \ud83c", "\\u0000"]) await jobs.enqueue(job({ payload: { email } }))

    expect(await jobs.claim("w1", 1_000, lease, "mail")).toMatchObject({
      payload: { email: expect.stringMatching(/^nul .$/s) },
    })
    expect(await jobs.claim("w1", 1_000, lease, "mail")).toMatchObject({
      payload: { email: expect.stringMatching(/^half a pair .$/) },
    })
    expect(await jobs.claim("w1", 1_000, lease, "mail")).toMatchObject({ payload: { email: "\\u0000" } })
  })

  test("a job can be claimed once, from its time on", async () => {
    await using subject = await open()
    const { jobs } = subject.store
    const { id } = await jobs.enqueue(job())

    expect(await jobs.claim("w1", 999, lease, "mail")).toBeNull()
    expect(await jobs.claim("w1", 1_000, lease, "mail")).toMatchObject({ id })
    expect(await jobs.claim("w2", 1_000, lease, "mail")).toBeNull()
  })

  test("the job that has been due longest comes first, whether it waits or its lease has expired", async () => {
    await using subject = await open()
    const { jobs } = subject.store
    await jobs.enqueue(job({ kind: "late", runAt: 3_000 }))
    await jobs.enqueue(job({ kind: "early", runAt: 1_000 }))
    await jobs.enqueue(job({ kind: "between", runAt: 2_000 }))
    await jobs.enqueue(job({ kind: "same", runAt: 2_000 }))
    await jobs.claim("crashed", 1_000, 1_500, "mail")

    const order: (string | undefined)[] = []
    for (let count = 0; count < 5; count += 1) order.push((await jobs.claim("w1", 9_000, lease, "mail"))?.kind)

    expect(order).toEqual(["between", "same", "early", "late", undefined])
  })

  test("a lane is claimed alone, however many jobs wait in others", async () => {
    await using subject = await open()
    const { jobs } = subject.store
    for (let count = 0; count < 20; count += 1) await jobs.enqueue(job({ kind: pushKind, runAt: 500 }))
    await jobs.advance({ work: "mail", from: null, to: "1" }, [job({ kind: thanksMailKind }), job({ kind: pushKind })])
    for (let count = 0; count < 20; count += 1) await jobs.enqueue(job({ kind: invitationKind, runAt: 500 }))
    await jobs.enqueue(job({ kind: resetMailKind }))
    await jobs.enqueue(job({ kind: slackGiveKind }))
    await jobs.enqueue(job({ kind: "of a later version" }))

    const kindsIn: Record<string, (string | undefined)[]> = {}
    for (const lane of lanes)
      kindsIn[lane] = [await jobs.claim("w", 1_000, lease, lane), await jobs.claim("w", 1_000, lease, lane)].map(
        (claimed) => claimed?.kind,
      )

    expect(kindsIn).toEqual({
      accounts: [resetMailKind, undefined],
      invitations: [invitationKind, invitationKind],
      mail: [thanksMailKind, "of a later version"],
      push: [pushKind, pushKind],
      chats: [slackGiveKind, undefined],
    })
  })

  test("of the jobs with the same turn one runs at a time, in the order in which they are due, and holds up no other", async () => {
    await using subject = await open()
    const { jobs } = subject.store
    const other = await subject.reopen()
    const turns = [1, 1, 2, 1].map((turnOf, index) => job({ payload: index, turnOf, runAt: 500 - index }))
    await jobs.advance({ work: "push", from: null, to: "1" }, turns)
    const unbound = await jobs.enqueue(job({ payload: 4 }))
    const alone = await jobs.enqueue(job({ payload: 5, turnOf: 3 }))
    const claim = async (now: number, store = subject.store) => store.jobs.claim("w", now, lease, "mail")

    const first = [await claim(1_000), await claim(1_000, other), await claim(1_000), await claim(1_000, other)]
    expect(first.map((claimed) => claimed?.payload)).toEqual([3, 2, 4, 5])
    expect(await claim(1_000)).toBeNull()

    // One that is tried again later does not hold up the next, and one whose process died runs again.
    await jobs.endAttempt(
      first[0]?.id ?? 0,
      "w",
      { state: "available", error: "", runAt: 9_000, isTemporary: true },
      1_000,
    )
    expect(await claim(1_000)).toMatchObject({ payload: 1 })
    expect(await claim(9_000)).toBeNull()
    for (const { id } of [unbound, alone]) await jobs.endAttempt(id, "w", { state: "completed", result: "" }, 9_000)
    const rest = [await claim(61_000), await claim(61_000, other), await claim(61_000)]
    expect(rest.map((claimed) => claimed?.payload)).toEqual([0, 2, undefined])
  })

  test("stores that claim at the same moment keep to the turns", async () => {
    await using subject = await open()
    const stores = [subject.store, await subject.reopen()]
    const turns = Array.from({ length: 40 }, (_, index) => job({ payload: index % 4, turnOf: index % 4 }))
    await subject.store.jobs.advance({ work: "push", from: null, to: "1" }, turns)

    for (let round = 1; round <= 10; round += 1) {
      const claims = await Promise.all(
        Array.from({ length: 6 }).flatMap(() => stores.map(({ jobs }) => jobs.claim("w", 1_000, lease, "mail"))),
      )
      const claimed = claims.flatMap((one) => one ?? [])
      expect(claimed.map(({ payload }) => payload).toSorted()).toEqual([0, 1, 2, 3])
      for (const { id } of claimed)
        await subject.store.jobs.endAttempt(id, "w", { state: "completed", result: "sent" }, 1_000)
    }
  })

  test("a turn that a wrong clock dated far ahead holds up nobody", async () => {
    await using subject = await open()
    const { jobs } = subject.store
    const ahead = 90 * 86_400_000
    for (const payload of [1, 2]) await jobs.enqueue(job({ payload, turnOf: payload === 1 ? 7 : 8 }))
    for (const _ of [1, 2]) await jobs.claim("crashed", 1_000 + ahead, lease, "mail")
    await jobs.enqueue(job({ payload: 3, turnOf: 7 }))

    expect(await jobs.claim("w", 1_000, lease, "mail")).toMatchObject({ payload: 3 })
    expect(await jobs.claim("w", 1_000, lease, "mail")).toMatchObject({ payload: 2 })
  })

  test("two stores that claim at the same time get different jobs", async () => {
    await using subject = await open()
    const stores = [subject.store, await subject.reopen()]
    for (let count = 0; count < 20; count += 1) await subject.store.jobs.enqueue(job())

    const claims = await Promise.all(
      Array.from({ length: 15 }).flatMap(() =>
        stores.map(({ jobs }, index) => jobs.claim(`w${index}`, 1_000, lease, "mail")),
      ),
    )

    const ids = claims.flatMap((claimed) => claimed?.id ?? [])
    expect(ids.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
  })

  test("a job can be claimed again from the end of its lease on, as another attempt", async () => {
    await using subject = await open()
    const { jobs } = subject.store
    const { id } = await jobs.enqueue(job())
    await jobs.claim("crashed", 1_000, lease, "mail")

    expect(await jobs.claim("w2", 60_999, lease, "mail")).toBeNull()
    expect(await jobs.claim("w2", 61_000, lease, "mail")).toMatchObject({
      id,
      attempts: 2,
      lockedBy: "w2",
      lockedUntil: 121_000,
    })
  })

  test("a job or a lease that a wrong clock dated far ahead is due at once, after the others", async () => {
    await using subject = await open()
    const { jobs } = subject.store
    const ahead = 90 * 86_400_000
    await jobs.enqueue(job({ kind: "crashed" }))
    await jobs.claim("crashed", 1_000 + ahead, lease, "mail")
    await jobs.enqueue(job({ kind: "retried", runAt: 1_000 + ahead }))
    await jobs.enqueue(job({ kind: "soon", runAt: 1_000 + 3_600_000 }))
    await jobs.enqueue(job({ kind: "due" }))

    const order: (string | undefined)[] = []
    for (let count = 0; count < 4; count += 1) order.push((await jobs.claim("w1", 1_000, lease, "mail"))?.kind)

    expect(order).toEqual(["due", "retried", "crashed", undefined])
  })

  test("only the worker that holds the lease can end its attempt; any other changes nothing", async () => {
    await using subject = await open()
    const { jobs } = subject.store
    const { id } = await jobs.enqueue(job())
    const done = { state: "completed", result: "sent" } as const
    expect(await jobs.endAttempt(id, "w1", done, 1_000)).toBe(false)
    await jobs.claim("crashed", 1_000, lease, "mail")
    await jobs.claim("w2", 61_000, lease, "mail")

    expect(await jobs.endAttempt(id, "crashed", done, 61_001)).toBe(false)
    expect(await jobs.endAttempt(99, "w2", done, 61_001)).toBe(false)
    expect(await jobs.endAttempt(id, "w2", done, 61_002)).toBe(true)
    expect(await jobs.endAttempt(id, "w2", { state: "discarded", error: "again" }, 61_003)).toBe(false)
    expect(await jobs.claim("w3", 999_999, lease, "mail")).toBeNull()
  })

  test("a failed attempt is retried at the time in its outcome, and the error is stored", async () => {
    await using subject = await open()
    const { jobs } = subject.store
    const { id } = await jobs.enqueue(job())
    await jobs.claim("w1", 1_000, lease, "mail")

    await jobs.endAttempt(id, "w1", { state: "available", error: "no answer", runAt: 5_000, isTemporary: false }, 2_000)

    expect(await jobs.claim("w2", 4_999, lease, "mail")).toBeNull()
    expect(await jobs.claim("w2", 5_000, lease, "mail")).toEqual({
      ...job({ runAt: 5_000 }),
      id,
      state: "running",
      attempts: 2,
      lockedBy: "w2",
      lockedUntil: 65_000,
      lastError: "no answer",
      result: null,
      finishedAt: null,
    })
  })

  test("a discarded job never runs again", async () => {
    await using subject = await open()
    const { jobs } = subject.store
    const { id } = await jobs.enqueue(job())
    await jobs.claim("w1", 1_000, lease, "mail")

    expect(await jobs.endAttempt(id, "w1", { state: "discarded", error: "no such mailbox" }, 2_000)).toBe(true)

    expect(await jobs.claim("w2", 999_999, lease, "mail")).toBeNull()
  })

  test("a temporary failure uses up no attempt, and is tried again at its time", async () => {
    await using subject = await open()
    const { jobs } = subject.store
    const { id } = await jobs.enqueue(job({ maxAttempts: 1 }))
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      expect(await jobs.claim("w1", attempt * 1_000, lease, "mail")).toMatchObject({ id, attempts: attempt })
      const outcome = {
        state: "available",
        error: "450 later",
        runAt: attempt * 1_000 + 1_000,
        isTemporary: true,
      } as const
      expect(await jobs.endAttempt(id, "w1", outcome, attempt * 1_000)).toBe(true)
    }

    // A crash still uses up an attempt.
    await jobs.claim("crashed", 4_000, lease, "mail")
    expect(await jobs.claim("w2", 999_999, lease, "mail")).toBeNull()
  })

  test("a crash uses up an attempt; after the last one the job is discarded and the next is claimed", async () => {
    await using subject = await open()
    const { jobs } = subject.store
    const poison = await jobs.enqueue(job({ maxAttempts: 2 }))
    const healthy = await jobs.enqueue(job({ runAt: 200_000 }))
    await jobs.claim("crashed", 1_000, lease, "mail")
    await jobs.claim("crashed", 61_000, lease, "mail")

    expect(await jobs.claim("w1", 200_000, lease, "mail")).toMatchObject({ id: healthy.id, attempts: 1 })
    expect(await jobs.endAttempt(poison.id, "crashed", { state: "completed", result: "sent" }, 200_001)).toBe(false)
    expect(await jobs.claim("w1", 200_001, lease, "mail")).toBeNull()
  })

  test("pruning deletes no job that still has to run", async () => {
    await using subject = await open()
    const { jobs } = subject.store
    const finished = await jobs.enqueue(job())
    const running = await jobs.enqueue(job({ runAt: 1_001 }))
    const waiting = await jobs.enqueue(job({ runAt: 2_000 }))
    await jobs.claim("w1", 1_000, lease, "mail")
    await jobs.endAttempt(finished.id, "w1", { state: "completed", result: "sent" }, 1_000)
    await jobs.claim("w1", 1_001, lease, "mail")

    await jobs.prune({ completed: 999_999, discarded: 999_999 })

    expect(await jobs.claim("w1", 2_000, lease, "mail")).toMatchObject({ id: waiting.id })
    expect(await jobs.endAttempt(running.id, "w1", { state: "completed", result: "sent" }, 2_000)).toBe(true)
  })

  test("progress advances in one commit with its jobs, and only from the given position", async () => {
    await using subject = await open()
    const { jobs } = subject.store
    const other = await subject.reopen()
    expect(await jobs.progressOf("each")).toBeNull()

    expect(await jobs.advance({ work: "each", from: null, to: "7" }, [])).toBe(true)
    expect(await other.jobs.advance({ work: "each", from: null, to: "8" }, [job({ payload: { id: 8 } })])).toBe(false)
    expect(await other.jobs.advance({ work: "each", from: "6", to: "8" }, [job({ payload: { id: 8 } })])).toBe(false)
    expect(
      await other.jobs.advance({ work: "each", from: "7", to: "9" }, [
        job({ payload: { id: 8 } }),
        job({ payload: { id: 9 } }),
      ]),
    ).toBe(true)
    expect([await jobs.progressOf("each"), await jobs.progressOf("daily")]).toEqual(["9", null])
    const claimed = [
      await jobs.claim("w", 2_000, 60, "mail"),
      await jobs.claim("w", 2_000, 60, "mail"),
      await jobs.claim("w", 2_000, 60, "mail"),
    ]
    expect(claimed.map((one) => one?.payload)).toEqual([{ id: 8 }, { id: 9 }, undefined])
  })

  test("a job waits since it was due first, whatever was tried since; one for later does not wait", async () => {
    await using subject = await open()
    const { jobs, health } = subject.store
    const waiting = async (now: number) => (await health.read(now)).waitingMs
    const { id } = await jobs.enqueue(job({ createdAt: 1_000, runAt: 1_000 }))
    await jobs.enqueue(job({ createdAt: 0, runAt: 90_000 }))

    expect([await waiting(999), await waiting(1_500)]).toEqual([0, 500])
    await jobs.claim("w", 2_000, lease, "mail")
    const refused = { state: "available", error: "ECONNREFUSED", runAt: 80_000, isTemporary: true } as const
    await jobs.endAttempt(id, "w", refused, 3_000)
    expect(await waiting(61_000)).toBe(60_000)
    await jobs.claim("w", 80_000, lease, "mail")
    expect(await waiting(81_000)).toBe(80_000)
    await jobs.endAttempt(id, "w", { state: "completed", result: "sent" }, 81_000)
    expect([await waiting(81_000), await waiting(91_000)]).toEqual([0, 1_000])
  })

  test("mail that was given up or waits is due again, as long as at first; what is sent, and other jobs, stay as they are", async () => {
    await using subject = await open()
    const { jobs, audit } = subject.store
    const ended = async (kind: string, outcome: object) => {
      const { id } = await jobs.enqueue(job({ kind, maxAttempts: 9 }))
      const lane = kind === pushKind ? "push" : kind === invitationKind ? "invitations" : "accounts"
      await jobs.claim("w", 1_000, lease, lane)
      await jobs.endAttempt(id, "w", { error: "550 ana@example.com", ...outcome } as JobOutcome, 2_000)
      return id
    }
    const later = { state: "available", runAt: 5_000, isTemporary: true } as const
    const refused = await ended(resetMailKind, { ...later, cause: "operator", cure: "set it" })
    const unreached = await ended(invitationKind, { state: "discarded", cause: "unreachable" })
    const unknown = await ended(invitationKind, { state: "discarded", cause: "recipient" })
    await ended(pushKind, { state: "discarded", cause: "operator" })
    const done = await ended(resetMailKind, { state: "completed", result: "sent" })

    expect(await jobs.refusedMail()).toEqual({ count: 1, newest: { answer: "550 …@…", cure: "set it" } })
    expect(await jobs.mail({ before: undefined, limit: 9 })).toMatchObject([
      { id: unknown, state: "discarded", cause: "recipient", cure: null, nextAt: null },
      { id: unreached, state: "discarded", cause: "unreachable" },
      { id: refused, state: "waiting", attempts: 1, cause: "operator", cure: "set it", nextAt: 5_000 },
    ])
    expect(await jobs.mail({ state: "waiting", before: undefined, limit: 9 })).toHaveLength(1)
    expect(await jobs.mail({ before: unknown, limit: 1 })).toMatchObject([{ id: unreached }])
    expect([await jobs.mailWith(done), await jobs.mailWith(99)]).toEqual([null, null])

    const causes = { causes: ["operator", "unreachable"] } as const
    expect(await jobs.retryMail(causes, 70_000, 4, auditOf("mail_retried"))).toBe(2)
    expect(await jobs.retryMail({ id: done }, 70_000, 4, auditOf("mail_retried"))).toBe(0)
    const again = await jobs.claim("w", 70_000, lease, "invitations")
    expect(again).toMatchObject({ id: unreached, attempts: 2, maxAttempts: 5, retryUntil: 70_000 + 899_500 })
    expect(await jobs.retryMail({ id: unreached }, 70_000, 4, auditOf("mail_retried"))).toBe(0)
    expect(await jobs.claim("w", 70_000, lease, "accounts")).toMatchObject({ id: refused, runAt: 70_000 })
    expect(await jobs.claim("w", 70_000, lease, "push")).toBeNull()
    expect(await audit.list({ limit: 9, action: "mail_retried" })).toMatchObject([{ count: 2 }])
  })

  test("a new invitation takes the place of those to the same address that wait or were given up", async () => {
    await using subject = await open()
    const { jobs } = subject.store
    const to = (email: string) => job({ kind: invitationKind, payload: { email } })
    for (const email of ["ana@example.com", "bo@example.com", "ana@example.com"]) await jobs.enqueue(to(email))
    const running = await jobs.claim("w", 1_000, lease, "invitations")

    await jobs.invite(["ana@example.com"], [to("ana@example.com")], auditOf("invited"))

    expect((await jobs.mail({ before: undefined, limit: 9 })).map(({ id }) => id)).toEqual([4, 2, running?.id ?? 0])
  })

  test("if several stores advance at the same time, one enqueues", async () => {
    await using subject = await open()
    const stores = [subject.store, await subject.reopen(), await subject.reopen()]
    for (const [from, to] of [
      [null, "1"],
      ["1", "2"],
    ] as const) {
      const moved = await Promise.all(
        stores.map(({ jobs }, index) => jobs.advance({ work: "each", from, to }, [job({ payload: { to, index } })])),
      )
      expect(moved.filter(Boolean)).toHaveLength(1)
    }
    const { jobs } = subject.store
    const claimed = [
      await jobs.claim("w", 2_000, 60, "mail"),
      await jobs.claim("w", 2_000, 60, "mail"),
      await jobs.claim("w", 2_000, 60, "mail"),
    ]
    expect(claimed.map((one) => one !== null)).toEqual([true, true, false])
  })
}
