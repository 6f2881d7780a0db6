import { expect, test } from "bun:test"
import type { AuditEntry } from "../../../src/domain/audit/ports.ts"
import type { NewJob } from "../../../src/domain/jobs/ports.ts"
import type { User } from "../../../src/domain/people/model.ts"
import type { NewRedemption, NewReward, RedemptionContext } from "../../../src/domain/rewards/model.ts"
import type { Store } from "../../../src/domain/store.ts"
import { allow, refusalOf, refuse, threePeople } from "./people.ts"
import type { OpenSubject } from "./subject.ts"

const mug: NewReward = {
  name: "Mug",
  description: "With your name",
  cost: 20,
  stock: 3,
  limitPerPerson: 2,
  isActive: true,
  moneyValue: 12.345,
  isTaxable: true,
  emoji: null,
}
const endless: NewReward = { ...mug, name: "Lunch", description: null, stock: null, limitPerPerson: null }

const audit = (action: AuditEntry["action"]): AuditEntry => ({
  at: 0,
  action,
  who: "ana",
  whom: null,
  way: "http",
  address: null,
  count: 1,
  detail: null,
  before: null,
  after: null,
})
/** One for each time that it happened. */
const actionsIn = async ({ audit }: Store) =>
  (await audit.list({ limit: 100 })).flatMap(({ action, count }) => Array.from({ length: count }, () => action))

const jobAbout = (kind: string, id: number): NewJob => ({
  kind,
  payload: { id },
  maxAttempts: 1,
  retryUntil: 9000,
  runAt: 5,
  createdAt: 5,
})

/** The jobs that are due, claimed one after the other. */
async function jobsIn({ jobs }: Store) {
  const found: unknown[] = []
  for (let job = await jobs.claim("w", 100, 1, "mail"); job; job = await jobs.claim("w", 100, 1000, "mail"))
    found.push([job.kind, job.payload])
  return found
}

const redemptionOf = (reward: { readonly id: number }, user: User, receiver: User): NewRedemption => ({
  rewardId: reward.id,
  userId: user.id,
  receiverId: receiver.id,
  comment: "Blue, please",
  date: 5,
  note: { reason: "Mug", tags: [], isPrivate: false },
  jobs: (id) => [jobAbout("requested", id)],
})

const answerTo = (redemption: { readonly id: number; readonly rewardId: number }, answer: string | null = null) => ({
  redemption,
  answer,
  date: 7,
  jobs: [jobAbout("answered", redemption.id)],
  audit: audit("reward_declined"),
})

const refundOf = ({ id }: User, from: User) =>
  ({ kind: "refund", senderId: from.id, receiverId: id, value: 20, date: 7 }) as const

/** Checks stock and limit in the same way as the rules. */
function available({ reward, redeemed }: RedemptionContext) {
  if (reward.stock === 0) throw new Error("out of stock")
  if (reward.limitPerPerson !== null && redeemed >= reward.limitPerPerson) throw new Error("limit reached")
}

export function rewardPromises(open: OpenSubject) {
  test("a reward is stored with every field and can be changed, each with an audit entry", async () => {
    await using subject = await open()
    const { rewards } = subject.store
    const first = await rewards.create(mug, audit("reward_created"))
    const second = await rewards.create(endless, audit("reward_created"))

    expect(first).toEqual({ ...mug, id: first.id, picture: null })
    expect(await (await subject.reopen()).rewards.list()).toEqual([first, second])
    const change = {
      ...{ name: "Cup", description: null, cost: 30, stock: null, limitPerPerson: 1, isActive: false },
      ...{ moneyValue: 0.1, isTaxable: false },
    }
    const changed = await rewards.update(first.id, change, audit("reward_changed"))
    expect(changed).toEqual({ ...first, ...change })
    expect(await rewards.update(second.id, { stock: 0 }, audit("reward_changed"))).toEqual({ ...second, stock: 0 })
    expect(await rewards.update(second.id, { moneyValue: null }, audit("reward_changed"))).toMatchObject({
      moneyValue: null,
    })
    expect(await rewards.update(second.id, { moneyValue: second.moneyValue }, audit("reward_changed"))).toMatchObject({
      moneyValue: 12.345,
    })
    expect(await rewards.update(second.id, {}, audit("reward_changed"))).toEqual({ ...second, stock: 0 })
    expect(await rewards.find(first.id)).toEqual(changed)
    expect(await rewards.find(99)).toBeNull()
    expect(await rewards.update(99, change, audit("reward_changed"))).toBeNull()
    expect(await actionsIn(subject.store)).toEqual([
      "reward_created",
      "reward_created",
      "reward_changed",
      "reward_changed",
      "reward_changed",
      "reward_changed",
    ])
  })

  test("a picture is kept while a reward or a person uses it, and deleted with the last use", async () => {
    await using subject = await open()
    const { rewards, users } = subject.store
    const { ana } = await threePeople(subject.store)
    const [shared, own] = ["a", "b"].map((letter, index) => ({
      hash: letter.repeat(64),
      kind: "png" as const,
      bytes: new Uint8Array([index]),
    }))
    if (!shared || !own) throw new Error("no pictures")
    const { id } = await rewards.create(mug, audit("reward_created"))
    await users.saveAvatar(ana.id, shared)
    const changed = audit("reward_changed")

    expect(await rewards.savePicture(id, shared, changed)).toMatchObject({ picture: `/api/v1/avatars/${shared.hash}` })
    await users.updateProfile(ana.id, { avatar: null })
    expect(await users.picture(shared.hash)).toEqual(shared)
    await users.saveAvatar(ana.id, shared)
    await rewards.savePicture(id, own, changed)
    expect(await users.picture(shared.hash)).toEqual(shared)
    await users.updateProfile(ana.id, { avatar: null })
    expect(await users.picture(shared.hash)).toBeNull()
    await rewards.savePicture(id, shared, changed)
    expect(await users.picture(own.hash)).toBeNull()
    expect(await rewards.savePicture(99, own, changed)).toBeNull()
    expect(await users.picture(own.hash)).toBeNull()
  })

  test("an emoji takes the place of a picture, which is then deleted, and a picture that of an emoji", async () => {
    await using subject = await open()
    const { rewards, users } = subject.store
    const picture = { hash: "a".repeat(64), kind: "png" as const, bytes: new Uint8Array([1]) }
    const { id } = await rewards.create({ ...mug, emoji: "☕" }, audit("reward_created"))
    const changed = audit("reward_changed")

    const address = `/api/v1/avatars/${picture.hash}`
    expect(await rewards.savePicture(id, picture, changed)).toMatchObject({ picture: address, emoji: null })
    expect(await rewards.update(id, { emoji: null }, changed)).toMatchObject({ picture: address, emoji: null })
    expect(await rewards.update(id, { emoji: "🎁" }, changed)).toMatchObject({ picture: null, emoji: "🎁" })
    expect(await users.picture(picture.hash)).toBeNull()
    expect(await rewards.find(id)).toMatchObject({ picture: null, emoji: "🎁" })
  })

  test("wishes are stored once, counted among active people, and end with a redemption", async () => {
    await using subject = await open()
    const { ledger, rewards, users } = subject.store
    const { ana, bruno, carla } = await threePeople(subject.store)
    const first = await rewards.create(mug, audit("reward_created"))
    const second = await rewards.create(endless, audit("reward_created"))
    for (const [{ id: userId }, { id: rewardId }] of [
      [bruno, first],
      [bruno, first],
      [bruno, second],
      [carla, first],
    ] as const)
      await rewards.wish({ userId, rewardId, date: 1 })

    expect((await rewards.catalogueOf(bruno.id)).wished).toEqual(new Set([first.id, second.id]))
    expect((await rewards.catalogueOf(ana.id)).wished).toEqual(new Set())
    expect([...(await rewards.catalogueOf(ana.id)).wishes].sort()).toEqual([
      [first.id, 2],
      [second.id, 1],
    ])
    await users.setActive(carla.id, 5)
    expect((await rewards.catalogueOf(ana.id)).wishes.get(first.id)).toBe(1)
    await users.setActive(carla.id, null)
    await rewards.takeBackWish({ userId: bruno.id, rewardId: second.id })
    await rewards.takeBackWish({ userId: bruno.id, rewardId: second.id })
    await ledger.post({ kind: "transfer", senderId: ana.id, receiverId: bruno.id, value: 50, date: 1 }, allow)
    await ledger.redeem(redemptionOf(first, bruno, ana), () => {})
    expect((await rewards.catalogueOf(bruno.id)).wished).toEqual(new Set())
    expect((await rewards.catalogueOf(carla.id)).wished).toEqual(new Set([first.id]))
  })

  test("a redemption takes the current cost and one item from the stock, and enqueues its jobs", async () => {
    await using subject = await open()
    const { ledger, rewards, users } = subject.store
    const { ana, bruno } = await threePeople(subject.store)
    const reward = await rewards.create(mug, audit("reward_created"))
    await ledger.post({ kind: "transfer", senderId: ana.id, receiverId: bruno.id, value: 50, date: 1 }, allow)
    const contexts: RedemptionContext[] = []

    const posted = await ledger.redeem(redemptionOf(reward, bruno, ana), (context) => void contexts.push(context))
    expect(posted).toMatchObject({ id: 2, kind: "redemption", senderId: bruno.id, receiverId: ana.id, value: 20 })
    expect(contexts[0]).toEqual({ reward, redeemed: 0, pockets: { balance: 50, earned: 50 } })
    const stored = {
      id: 2,
      rewardId: reward.id,
      rewardName: "Mug",
      userId: bruno.id,
      username: "bruno",
      name: "Bruno",
      dept: "sales",
      cost: 20,
      moneyValue: 12.345,
      isTaxable: true,
      state: "requested" as const,
      date: 5,
      comment: "Blue, please",
      answer: null,
      answeredAt: null,
    }
    expect(await rewards.redemption(2)).toEqual(stored)
    expect(await rewards.redemption(1)).toBeNull()
    expect(await rewards.find(reward.id)).toEqual({ ...reward, stock: 2 })
    await rewards.update(reward.id, { moneyValue: 99, isTaxable: false }, audit("reward_changed"))
    expect(await rewards.redemption(2)).toEqual(stored)
    expect((await rewards.catalogueOf(bruno.id)).redeemed).toEqual(new Map([[reward.id, 1]]))
    expect(await users.balanceOf(bruno.id)).toBe(30)
    expect(await jobsIn(subject.store)).toEqual([["requested", { id: 2 }]])

    const other = await rewards.create(endless, audit("reward_created"))
    const seen: RedemptionContext[] = []
    const later = { ...redemptionOf(other, bruno, ana), comment: null }
    await ledger.redeem(later, (context) => void seen.push(context))
    expect(seen[0]).toMatchObject({ redeemed: 0, pockets: { balance: 30, earned: 30 } })
    expect(await rewards.find(other.id)).toEqual(other)
  })

  test("a redemption that is refused or names an unknown reward leaves no trace", async () => {
    await using subject = await open()
    const { ledger, rewards, users } = subject.store
    const { ana, bruno } = await threePeople(subject.store)
    const reward = await rewards.create(mug, audit("reward_created"))

    expect(await refusalOf(ledger.redeem(redemptionOf(reward, bruno, ana), refuse))).toMatchObject({ message: "no" })
    expect(await refusalOf(ledger.redeem(redemptionOf({ id: 99 }, bruno, ana), allow))).toMatchObject({
      code: "reward_not_found",
    })
    expect(await rewards.redemptions({ limit: 10 })).toEqual([])
    expect(await rewards.find(reward.id)).toEqual(reward)
    expect([await ledger.lastId(), await users.balanceOf(bruno.id)]).toEqual([0, 0])
    expect(await jobsIn(subject.store)).toEqual([])
  })

  test("a hundred simultaneous redemptions by three people from two stores stop when the stock is empty", async () => {
    await using subject = await open()
    const stores = [subject.store, await subject.reopen()]
    const people = Object.values(await threePeople(subject.store))
    const [ana] = people
    if (!ana) throw new Error("nobody")
    const reward = await subject.store.rewards.create(
      { ...mug, stock: 30, limitPerPerson: null },
      audit("reward_created"),
    )

    const sent = await Promise.allSettled(
      Array.from({ length: 100 }, (_, index) => {
        const [store, person] = [stores[index % 2], people[index % 3]]
        if (!store || !person) throw new Error("nobody")
        return store.ledger.redeem(redemptionOf(reward, person, ana), available)
      }),
    )

    expect(sent.filter(({ status }) => status === "fulfilled")).toHaveLength(30)
    expect((await subject.store.rewards.find(reward.id))?.stock).toBe(0)
    expect(await subject.store.rewards.redemptions({ limit: 100 })).toHaveLength(30)
    expect(await subject.store.ledger.lastId()).toBe(30)
  })

  test("a hundred simultaneous redemptions of one person from two stores stop at the limit, and each counts those before it", async () => {
    await using subject = await open()
    const stores = [subject.store, await subject.reopen()]
    const { ana, bruno } = await threePeople(subject.store)
    const gift = { kind: "transfer", senderId: ana.id, receiverId: bruno.id, value: 100, date: 1 } as const
    await subject.store.ledger.post(gift, allow)
    const reward = await subject.store.rewards.create(
      { ...mug, stock: null, limitPerPerson: 5 },
      audit("reward_created"),
    )
    const seen: number[] = []

    const sent = await Promise.allSettled(
      Array.from({ length: 100 }, (_, index) =>
        stores[index % 2]?.ledger.redeem(redemptionOf(reward, bruno, ana), (context) => {
          available(context)
          seen.push(context.pockets.balance)
        }),
      ),
    )

    expect(sent.filter(({ status }) => status === "fulfilled")).toHaveLength(5)
    expect(seen.sort((a, b) => a - b)).toEqual([20, 40, 60, 80, 100])
    expect(await subject.store.users.balanceOf(bruno.id)).toBe(0)
  })

  test("a request repeated under its key is one redemption", async () => {
    await using subject = await open()
    const stores = [subject.store, await subject.reopen()]
    const { ana, bruno } = await threePeople(subject.store)
    const reward = await subject.store.rewards.create(mug, audit("reward_created"))
    const key = { key: "one", requestHash: "a mug", expiresAt: 1000 }

    const sent = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        stores[index % 2]?.ledger.redeem(redemptionOf(reward, bruno, ana), available, { idempotencyKey: key }),
      ),
    )

    expect(new Set(sent.map((posted) => posted?.id))).toEqual(new Set([1]))
    expect(sent.filter((posted) => posted?.replayed === false)).toHaveLength(1)
    expect((await subject.store.rewards.find(reward.id))?.stock).toBe(2)
    expect(await jobsIn(subject.store)).toHaveLength(1)
    const other = subject.store.ledger.redeem(redemptionOf(reward, bruno, ana), available, {
      idempotencyKey: {
        ...key,
        requestHash: "another",
      },
    })
    expect(await refusalOf(other)).toMatchObject({ code: "key_reused" })
  })

  test("a declined redemption returns points and stock once, and enqueues its jobs", async () => {
    await using subject = await open()
    const { ledger, rewards, users } = subject.store
    const { ana, bruno } = await threePeople(subject.store)
    const reward = await rewards.create(mug, audit("reward_created"))
    const redemption = { id: (await ledger.redeem(redemptionOf(reward, bruno, ana), allow)).id, rewardId: reward.id }
    await jobsIn(subject.store)

    const refused = ledger.refund(refundOf(bruno, ana), answerTo(redemption, "Sold out"), refuse)
    expect(await refusalOf(refused)).toMatchObject({ message: "no" })
    const refund = await ledger.refund(refundOf(bruno, ana), answerTo(redemption, "Sold out"), allow)
    expect(refund).toMatchObject({ id: 2, kind: "refund", value: 20 })
    expect(await rewards.redemption(1)).toMatchObject({ state: "declined", answer: "Sold out", answeredAt: 7 })
    expect((await rewards.find(reward.id))?.stock).toBe(3)
    expect((await rewards.catalogueOf(bruno.id)).redeemed).toEqual(new Map())
    expect(await users.balanceOf(bruno.id)).toBe(0)
    for (const id of [1, 99])
      expect(
        await refusalOf(ledger.refund(refundOf(bruno, ana), answerTo({ id, rewardId: reward.id }), allow)),
      ).toMatchObject({ code: "not_requested" })
    expect(await rewards.fulfil(answerTo(redemption))).toBe(false)
    expect(await jobsIn(subject.store)).toEqual([["answered", { id: 1 }]])
    expect(await actionsIn(subject.store)).toEqual(["reward_created", "reward_declined"])
  })

  test("one of many simultaneous answers from two stores counts", async () => {
    await using subject = await open()
    const stores = [subject.store, await subject.reopen()]
    const { ana, bruno } = await threePeople(subject.store)
    const reward = await subject.store.rewards.create(mug, audit("reward_created"))
    const { id } = await subject.store.ledger.redeem(redemptionOf(reward, bruno, ana), allow)
    await jobsIn(subject.store)
    const answer = answerTo({ id, rewardId: reward.id })

    const answered = await Promise.all(
      Array.from({ length: 10 }).flatMap(() =>
        stores.flatMap(({ ledger, rewards }) => [
          rewards.fulfil(answer),
          ledger.refund(refundOf(bruno, ana), answer, allow).then(
            () => true,
            () => false,
          ),
        ]),
      ),
    )

    expect(answered.filter((one) => one)).toHaveLength(1)
    const found = await subject.store.rewards.redemption(id)
    const isDeclined = found?.state === "declined"
    expect(await subject.store.ledger.lastId()).toBe(isDeclined ? 2 : 1)
    expect((await subject.store.rewards.find(reward.id))?.stock).toBe(isDeclined ? 3 : 2)
    expect(await jobsIn(subject.store)).toEqual([["answered", { id }]])
  })

  test("redemptions are listed newest first, page by page, and can be filtered by state and person", async () => {
    await using subject = await open()
    const { ledger, rewards } = subject.store
    const { ana, bruno, carla } = await threePeople(subject.store)
    const reward = await rewards.create(endless, audit("reward_created"))
    for (const person of [bruno, carla, bruno, carla]) await ledger.redeem(redemptionOf(reward, person, ana), allow)
    await rewards.fulfil(answerTo({ id: 3, rewardId: reward.id }, "On your desk"))
    const idsOf = async (query: Parameters<typeof rewards.redemptions>[0]) =>
      (await rewards.redemptions(query)).map(({ id }) => id)

    expect(await idsOf({ limit: 3 })).toEqual([4, 3, 2])
    expect(await idsOf({ limit: 3, before: 2 })).toEqual([1])
    expect(await idsOf({ limit: 9, state: "requested" })).toEqual([4, 2, 1])
    expect(await idsOf({ limit: 9, state: "requested", userId: bruno.id, before: 4 })).toEqual([1])
    expect(await idsOf({ limit: 9, state: "fulfilled" })).toEqual([3])
  })
}
