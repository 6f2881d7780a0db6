import { expect, test } from "bun:test"
import type { AuditEntry } from "../../../src/domain/audit/ports.ts"
import { laneOf, mattermostGiveKind, slackGiveKind } from "../../../src/domain/jobs/jobs.ts"
import type { Job, JobOutcome } from "../../../src/domain/jobs/ports.ts"
import type { NewTransaction } from "../../../src/domain/ledger/model.ts"
import type { User } from "../../../src/domain/people/model.ts"
import type { Store } from "../../../src/domain/store.ts"
import { personalLists } from "../../../src/storage/people/personal-data.ts"
import { monthly } from "./allowances.ts"
import { tokenOf } from "./api-tokens.ts"
import { allow, hashOf, person, personalRowsOf, refusalOf, threePeople } from "./people.ts"
import { codes } from "./second-factors.ts"
import type { OpenSubject } from "./subject.ts"

const entry: AuditEntry = {
  at: 1,
  action: "login",
  who: null,
  whom: null,
  way: "http",
  address: "192.0.2.1",
  count: 1,
  detail: null,
  before: null,
  after: null,
}

const renamed = { before: { name: "Ana" }, after: { name: "Anna" } }

const replacement = {
  username: "erased-1",
  name: "Former colleague",
  email: "erased-1@erased.invalid",
  password: hashOf("none"),
}

const sending = (sender: User, receiver: User, reason: string): NewTransaction => ({
  kind: "transfer",
  senderId: sender.id,
  receiverId: receiver.id,
  value: 1,
  date: 10,
  note: { reason, tags: [], isPrivate: false },
})

/** Stores one of everything that a store can keep about a person for Ana, who has left. */
async function left(store: Store) {
  const { users, ledger, jobs, sessions, audit } = store
  const { ana, bruno, carla } = await threePeople(store)
  await users.saveAvatar(ana.id, { hash: "a".repeat(64), kind: "png", bytes: new Uint8Array([1]) })
  await users.updateProfile(ana.id, { bio: "I am Ana", birthday: "02-29", celebrates: true })
  await ledger.post(sending(ana, bruno, "written"), allow, {
    idempotencyKey: { key: "k", requestHash: "h", expiresAt: 1000 },
    reference: { name: "for Bruno", requestHash: "h" },
  })
  await ledger.post(sending(bruno, ana, "received"), allow)
  await ledger.post({ ...sending(ana, ana, "to myself"), kind: "transfer" }, allow)
  await ledger.post({ ...sending(ana, bruno, "taken back"), kind: "reversal", reverses: 2 }, allow)
  await ledger.post(sending(bruno, carla, "of others"), allow)
  await ledger.celebrate({
    ...{ userId: ana.id, kind: "birthday", year: 2026, years: null, text: "Happy birthday, {name}!" },
    ...{ points: 0, senderId: 2, date: 1 },
  })
  await users.saveLoginSources([{ userId: ana.id, source: "192.0.2.7", usedAt: 5 }])
  await sessions.open({ idHash: "x", username: "ana", expiresAt: 1e12, openedAt: 1, address: "192.0.2.8" }, null)
  for (const email of ["ANA@example.com", "bruno@example.com"])
    await jobs.enqueue({ kind: "m", payload: { email }, maxAttempts: 1, retryUntil: 9, runAt: 1, createdAt: 1 })
  await audit.append([
    { ...entry, who: "ana" },
    { ...entry, action: "login_failed", whom: "ana" },
    { ...entry, action: "profile_changed", who: "bruno", whom: "ana", detail: "name: Ana -> Anna", ...renamed },
    { ...entry, who: "ana", way: "command line" },
    { ...entry, who: "bruno" },
  ])
  const inactive = await users.setActive(ana.id, 50)
  return { ana: inactive, bruno, carla }
}

/** Stores the other data that a store can keep about Ana. */
async function addMore(store: Store, ana: User) {
  await store.users.saveTemplates(ana.id, ["For the review"])
  await store.users.correct(ana.id, { renamed: { username: "anna", at: 10, until: 110 } })
  await store.users.correct(ana.id, { renamed: { username: "ana", at: 11, until: 111 } })
  const { responses, notifications, mail, rewards, ledger, allowances, identities, jobs, users, sessions } = store
  const audit = { ...entry, who: "olga", way: "command line" } as const
  await store.secondFactors.add(ana.id, codes, { session: null, token: null }, audit)
  await sessions.open({ idHash: "y", username: "ana", expiresAt: 1e12, openedAt: 1, address: "192.0.2.8" }, null)
  await responses.react(2, ana.id, "👏", 20)
  const reply = { recognitionId: 2, text: "You are welcome", date: 11, authorId: ana.id, notifiedIds: [2] }
  await responses.reply(reply)
  await responses.reply({ ...reply, text: "Not hers", authorId: 2, notifiedIds: [ana.id] })
  await notifications.saveSeen(ana.id, 7)
  await mail.choose(ana.id, { mail: "each" })
  await allowances.create({ ...monthly, name: "For Ana", audience: { userIds: [ana.id] } }, audit)
  await allowances.create({ ...monthly, name: "For Bruno", audience: { userIds: [2] } }, audit)
  const mug = {
    name: "Mug",
    description: null,
    cost: 20,
    stock: null,
    limitPerPerson: null,
    isActive: true,
    moneyValue: null,
    isTaxable: false,
    emoji: null,
  }
  const reward = await rewards.create(mug, audit)
  await rewards.wish({ userId: ana.id, rewardId: (await rewards.create({ ...mug, name: "Cup" }, audit)).id, date: 13 })
  await users.setActive(ana.id, null)
  await identities.link({ issuer: "https://login.example.com", subject: "1", userId: ana.id, linkedAt: 5 })
  const note = { reason: "Mug", tags: [], isPrivate: false }
  const redemption = { rewardId: reward.id, userId: ana.id, receiverId: 2, comment: "Blue, please", date: 12, note }
  await ledger.redeem({ ...redemption, jobs: () => [] }, allow)
  await users.setActive(ana.id, 50)
  await sessions.open({ idHash: "z", username: "ana", expiresAt: 1e12, openedAt: 1, address: "192.0.2.8" }, null)
  await store.apiTokens.create(tokenOf(ana.id, "a"), 9, audit)
  const browser = { endpoint: "https://push.example.com/secret", p256dh: "key", auth: "auth", name: "Phone" }
  await store.push.add({ ...browser, userId: ana.id, createdAt: 14, endsAt: 1e12 }, 9, { session: null, token: null })
  await store.provisioned.setExternalId(ana.id, "ext-1")
  for (const payload of [{ userId: ana.id }, { userId: 2 }, { transactionId: 2 }, { transactionId: 1 }])
    await jobs.enqueue({ kind: "m", payload, maxAttempts: 1, retryUntil: 9, runAt: 1, createdAt: 1 })
}

const erased = { ...entry, action: "user_erased", who: "admin", whom: replacement.username } as const

const reasonsIn = async ({ ledger }: Store) =>
  (await ledger.entries({ limit: 9 })).map(({ note }) => note?.reason ?? null).reverse()

export function erasurePromises(open: OpenSubject) {
  test("the names of a person's own tokens are erased from the audit log, those of service tokens are kept", async () => {
    await using subject = await open()
    const { store } = subject
    const { ana } = await left(store)
    const about = { ...entry, whom: "ana" } as const
    await store.audit.append([
      { ...about, action: "token_created", who: "ana", detail: "personal Ana's laptop: read" },
      { ...about, action: "token_revoked", who: "admin", detail: "personal Ana's laptop: read" },
      { ...about, action: "token_created", who: "admin", detail: "service Payroll: give" },
    ])

    await store.users.erase(ana.id, { at: 60, replacement, reasons: "none" }, erased)

    const tokens = (await store.audit.list({ limit: 20 })).filter(({ action }) => action.startsWith("token_"))
    expect(tokens.map(({ detail }) => detail)).toEqual([null, null, "service Payroll: give"])
  })

  test("an erasure keeps a placeholder, the transactions and the data of others", async () => {
    await using subject = await open()
    const { ana, bruno } = await left(subject.store)
    const other = await subject.reopen()
    expect((await other.exports.users().next()).done).toBe(false)
    expect((await other.ledger.page({ page: 1, size: 9 })).items[0]).toMatchObject({ senderUsername: "ana" })

    await subject.store.users.erase(ana.id, { at: 60, replacement, reasons: "none" }, erased)

    await new Promise(setImmediate)
    for (const store of [subject.store, other]) {
      const { users, audit, people, ledger, references } = store
      expect(await users.byUsername("ana")).toBeNull()
      expect(await users.byEmail("ana@example.com")).toBeNull()
      expect(await users.byUsername("erased-1")).toEqual({
        ...ana,
        ...replacement,
        avatar: null,
        bio: null,
        birthday: null,
        joined: null,
        celebrates: null,
        accessVersion: 2,
        refreshVersion: 2,
        erasedAt: 60,
      })
      expect(await users.picture("a".repeat(64))).toBeNull()
      expect(await users.lastLoginFrom(ana.id, "192.0.2.7")).toBeNull()
      expect(await store.sessions.list(null, 1)).toEqual([])
      const key = { key: "k", requestHash: "h", expiresAt: 1000 }
      expect(await ledger.findReplay(ana.id, key, 20)).toBeNull()
      expect(await references.requests({ name: "for Bruno", limit: 1 })).toEqual([])
      expect((await people.search({ words: ["ana"], dept: null, active: null, after: null, size: 9 })).items).toEqual(
        [],
      )
      expect((await audit.list({ limit: 20 })).map(({ id: _, at: __, count: ___, ...entry }) => entry)).toEqual([
        {
          action: "login",
          who: "erased-1",
          whom: null,
          way: "http",
          address: null,
          detail: null,
          before: null,
          after: null,
        },
        {
          action: "login_failed",
          who: null,
          whom: "erased-1",
          way: "http",
          address: null,
          detail: null,
          before: null,
          after: null,
        },
        {
          action: "profile_changed",
          who: "bruno",
          whom: "erased-1",
          way: "http",
          address: "192.0.2.1",
          detail: null,
          before: null,
          after: null,
        },
        {
          action: "login",
          who: "ana",
          whom: null,
          way: "command line",
          address: "192.0.2.1",
          detail: null,
          before: null,
          after: null,
        },
        {
          action: "login",
          who: "bruno",
          whom: null,
          way: "http",
          address: "192.0.2.1",
          detail: null,
          before: null,
          after: null,
        },
        {
          action: "user_erased",
          who: "admin",
          whom: "erased-1",
          way: "http",
          address: "192.0.2.1",
          detail: null,
          before: null,
          after: null,
        },
      ])
      expect((await ledger.page({ page: 1, size: 9 })).items[0]).toMatchObject({ senderUsername: "erased-1" })
      expect((await ledger.after(0, 1))[0]).toMatchObject({ senderName: "Former colleague" })
      expect(await reasonsIn(store)).toEqual(["written", "received", "to myself", "taken back", "of others"])
      expect(await users.balanceOf(bruno.id)).toBe(0)
    }
    const claimed = await subject.store.jobs.claim("w", 5, 10, "mail")
    expect(claimed?.payload).toEqual({ email: "bruno@example.com" })
    expect(await subject.store.jobs.claim("w", 5, 10, "mail")).toBeNull()
    await subject.store.users.create(person("Ana"))
  })

  test("an erasure deletes the finished transfers from chats, because their reasons may be the erased person's", async () => {
    await using subject = await open()
    const { store } = subject
    const { ana, bruno } = await threePeople(store)
    await store.users.setActive(ana.id, 50)
    const enqueue = (kind: string, reason: string, runAt = 1) => {
      const payload = { reason, userId: bruno.id } // with an id, so that `personalRowsOf` finds it
      return store.jobs.enqueue({ kind, payload, maxAttempts: 1, retryUntil: 9, runAt, createdAt: 1 })
    }
    const finish = async ({ id, kind }: Job, outcome: JobOutcome) => {
      expect(await store.jobs.claim("w", 5, 10, laneOf(kind))).toMatchObject({ id })
      expect(await store.jobs.endAttempt(id, "w", outcome, 6)).toBe(true)
    }
    for (const kind of [slackGiveKind, mattermostGiveKind, "m"]) {
      await finish(await enqueue(kind, `${kind} answered`), { state: "completed", result: "answered" })
      await finish(await enqueue(kind, `${kind} not answered`), { state: "discarded", error: "no such address" })
      await enqueue(kind, `${kind} running`)
      await store.jobs.claim("w", 5, 10, laneOf(kind))
      await enqueue(kind, `${kind} available`, 8)
    }

    await store.users.erase(ana.id, { at: 60, replacement, reasons: "none" }, erased)

    const { jobs = [] } = await personalRowsOf(store, bruno)
    expect(jobs).toMatchObject(
      [
        ...["slack_give running", "slack_give available", "mattermost_give running", "mattermost_give available"],
        ...["m answered", "m not answered", "m running", "m available"],
      ].map((reason) => ({ payload: { reason } })),
    )
  })

  test("everything stored about a person can be read, and nothing about others", async () => {
    await using subject = await open()
    const { ana } = await left(subject.store)
    await addMore(subject.store, ana)

    const rows = await personalRowsOf(subject.store, ana)

    expect(Object.keys(rows)).toEqual([...personalLists])
    expect(Object.entries(rows).filter(([, list]) => list.length === 0)).toEqual([])
    expect(rows).toMatchObject({
      account: [{ username: "ana", name: "Ana", email: "ana@example.com", bio: "I am Ana", deactivated_at: 50 }],
      picture: [{ kind: "png", base64: "AQ==" }],
      balance: [{ value: -21 }],
      renames: [
        { username: "ana", until: 110 },
        { username: "anna", until: 111 },
      ],
      login_sources: [{ source: "192.0.2.7", used_at: 5 }],
      idempotency_keys: [{ key: "k", transaction_id: 1 }],
      transaction_references: [{ reference: "for Bruno", transaction_id: 1, transaction_count: 1 }],
      mail_choices: [{ mail: "each" }],
      notifications_seen: [{ through_id: 7 }],
      reactions: [{ transaction_id: 2, emoji: "👏" }],
      replies: [{ transaction_id: 2, text: "You are welcome" }],
      wishes: [{ date: 13 }],
      push_devices: [{ name: "Phone", created_at: 14, last_used_at: null }],
      redemptions: [{ reward_name: "Mug", comment: "Blue, please", state: "requested" }],
      allowances: [{ name: "For Ana" }],
      jobs: [
        { payload: { email: "ANA@example.com" } },
        { payload: { userId: ana.id } },
        { payload: { transactionId: 2 } },
      ],
    })
    expect(rows.reply_notices).toHaveLength(1)
    expect(rows.audit?.map((entry) => Object.values(entry))).toEqual([
      [1, "login", "ana", null, "http", "192.0.2.1", 1, null, null, null],
      [1, "login_failed", null, "ana", "http", "192.0.2.1", 1, null, null, null],
      [1, "profile_changed", "bruno", "ana", "http", null, 1, "name: Ana -> Anna", { name: "Ana" }, { name: "Anna" }],
    ])
    const text = JSON.stringify(rows)
    for (const foreign of ["bruno@example.com", "Not hers", "For Bruno", ana.password])
      expect(text).not.toContain(foreign)
  })

  test("long lists are read in slices, complete and in order, and the event loop runs in between", async () => {
    await using subject = await open()
    const { ana, bruno } = await threePeople(subject.store)
    const { audit, responses, ledger, exports } = subject.store
    const transfers = Array.from({ length: 600 }, () => sending(bruno, ana, "thanks"))
    await ledger.postAll(transfers, allow)
    for (const { id } of await ledger.after(0, 600)) await responses.react(id, ana.id, "👏", 20)
    await responses.react(500, ana.id, "🎉", 20)
    for (let first = 0; first < 6000; first += 500)
      await audit.append(
        Array.from({ length: 500 }, (_, place) => ({
          ...entry,
          at: first + place,
          who: "ana",
          detail: `${first + place}`,
        })),
      )

    let ticks = 0
    let slices = 0
    let running = true
    const tick = () => {
      ticks += 1
      if (running) setImmediate(tick)
    }
    setImmediate(tick)
    for await (const { rows } of exports.personalRows(ana)) {
      slices += 1
      expect(rows.length).toBeLessThanOrEqual(5000)
    }
    running = false
    const rows = await personalRowsOf(subject.store, ana)

    expect(slices).toBeGreaterThan(personalLists.length * 2)
    expect(ticks).toBeGreaterThan(personalLists.length)
    expect(rows.reactions).toHaveLength(601)
    expect(rows.reactions?.slice(498, 502)).toEqual([
      { transaction_id: 499, emoji: "👏" },
      { transaction_id: 500, emoji: "🎉" },
      { transaction_id: 500, emoji: "👏" },
      { transaction_id: 501, emoji: "👏" },
    ])
    expect(rows.audit?.map((one) => "at" in one && one.at)).toEqual(Array.from({ length: 6000 }, (_, index) => index))
  }, 30_000)

  test("an erasure removes the reasons that the person wrote, or all", async () => {
    await using subject = await open()
    const { ana } = await left(subject.store)
    const { users } = subject.store

    await users.erase(ana.id, { at: 60, replacement, reasons: "written" }, erased)
    expect(await reasonsIn(subject.store)).toEqual([null, "received", null, "taken back", "of others"])

    await users.erase(ana.id, { at: 61, replacement, reasons: "all" }, erased)
    expect(await reasonsIn(subject.store)).toEqual([null, null, null, null, "of others"])
    expect(await subject.store.ledger.lastId()).toBe(5)
  })

  test("the reason for which several people were thanked at once is erased with the reasons that one of them received", async () => {
    await using subject = await open()
    const { users, ledger, recognitions } = subject.store
    const { ana, bruno, carla } = await threePeople(subject.store)
    const note = { reason: "the fair", tags: ["care"], isPrivate: false }
    const thanks = { kind: "transfer" as const, senderId: ana.id, value: 5, date: 1, note }
    const receivers = [bruno, carla].map(({ id: receiverId }, place) => ({ ...thanks, receiverId, place }))
    await ledger.postAll(receivers, allow)
    await ledger.post({ ...thanks, receiverId: bruno.id }, allow)
    await users.setActive(carla.id, 50)

    await users.erase(carla.id, { at: 60, replacement, reasons: "written" }, erased)
    expect(await reasonsIn(subject.store)).toEqual(["the fair", "the fair", "the fair"])

    await users.erase(carla.id, { at: 61, replacement, reasons: "all" }, erased)
    expect(await reasonsIn(subject.store)).toEqual([null, null, "the fair"])
    expect(await recognitions.find(1)).toMatchObject({ receivers: [{ name: "Bruno" }, { name: replacement.name }] })
  })

  test("two people who wrote to each other can be erased at the same time, one of them twice", async () => {
    await using subject = await open()
    const { store } = subject
    const { ana, bruno } = await left(store)
    await store.users.setActive(bruno.id, 51)
    const other = await subject.reopen()
    const erasure = { at: 60, replacement, reasons: "all" } as const
    const ofBruno = { ...replacement, username: "erased-2", email: "erased-2@erased.invalid" }

    await Promise.all([
      store.users.erase(ana.id, erasure, erased),
      other.users.erase(bruno.id, { ...erasure, replacement: ofBruno }, erased),
      other.users.erase(ana.id, erasure, erased),
    ])

    expect(await reasonsIn(store)).toEqual([null, null, null, null, null])
    const erasedPeople = await store.users.byIds([ana.id, bruno.id])
    expect(erasedPeople.map(({ username }) => username)).toEqual(["erased-1", "erased-2"])
  })

  test("a correction or reactivation that comes after an erasure is refused and restores nothing", async () => {
    await using subject = await open()
    const { ana } = await left(subject.store)
    const { users } = subject.store
    await users.erase(ana.id, { at: 60, replacement, reasons: "none" }, erased)

    const late = [
      users.correct(ana.id, { name: "Ana", email: "ana@example.com" }),
      users.setActive(ana.id, null, { ...entry, action: "user_reactivated", whom: "ana" }),
    ]

    for (const one of late) expect(await refusalOf(one)).toMatchObject({ code: "erased" })
    expect(await users.byUsername("erased-1")).toMatchObject({ ...replacement, deactivatedAt: 50, erasedAt: 60 })
    expect(await subject.store.audit.list({ user: "ana", action: "user_reactivated", limit: 1 })).toEqual([])
  })

  test("an active account is not erased; a log-in source saved after an erasure is not stored", async () => {
    await using subject = await open()
    const { ana, bruno } = await left(subject.store)
    const { users } = subject.store

    const refusal = await refusalOf(users.erase(bruno.id, { at: 60, replacement, reasons: "all" }, erased))
    expect(refusal).toMatchObject({ code: "still_active" })
    expect(await users.byUsername("bruno")).toMatchObject({ id: bruno.id, name: "Bruno", erasedAt: null })

    await users.erase(ana.id, { at: 60, replacement, reasons: "none" }, erased)
    await users.saveLoginSources([ana, bruno].map(({ id: userId }) => ({ userId, source: "192.0.2.9", usedAt: 70 })))
    expect(await users.lastLoginFrom(ana.id, "192.0.2.9")).toBeNull()
    expect(await users.lastLoginFrom(bruno.id, "192.0.2.9")).toBe(70)
  })
}
