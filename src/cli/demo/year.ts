import type { App } from "../../app/app.ts"
import type { AllowanceRequest } from "../../domain/allowances/allowance-fields.ts"
import type { User } from "../../domain/people/model.ts"
import { type Actor, isSuperuser } from "../../domain/people/roles.ts"
import { usualEmojis } from "../../domain/recognition/recognitions.ts"
import type { Redemption } from "../../domain/rewards/model.ts"
import { lastBirthdays, type Member, members, newcomers, password } from "./company.ts"
import { allowances, programme, rewards } from "./company-rules.ts"
import { createDice } from "./dice.ts"
import { comments, congratulations, grantReasons, mistakes, recognitionNote, replies, welcome } from "./sentences.ts"

/** How much happens in the year. */
export interface Scale {
  readonly recognitions: number
  /** Recognitions of several people at once. */
  readonly groups: number
  readonly reactions: number
  readonly replies: number
  /** Points that somebody adds to a recognition of somebody else. */
  readonly additions: number
  /** Reactions, replies and points added to birthdays, anniversaries and first days. */
  readonly congratulations: number
  readonly wishes: number
  readonly corrections: number
  readonly redemptions: number
  readonly newcomers: number
  readonly leavers: number
  /** At most as many as leave. */
  readonly erasures: number
}

export const wholeYear: Scale = {
  recognitions: 5000,
  groups: 120,
  reactions: 2500,
  replies: 450,
  additions: 300,
  congratulations: 800,
  wishes: 60,
  corrections: 15,
  redemptions: 300,
  newcomers: 6,
  leavers: 12,
  erasures: 2,
}

interface YearOptions {
  readonly scale: Scale
  /** The year ends at this moment. */
  readonly until: number
  /** Sets the clock of the app. Times never go back. */
  readonly moveTo: (ms: number) => void
  /** Resolves when the mails that wait were sent. */
  readonly sendMails: () => Promise<void>
}

/** Something that happens at a moment of the year. */
interface Happening {
  readonly at: number
  readonly act: () => Promise<void>
}

const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000]
const days = 365
const smallestThanks = 5
const congratulatoryEmojis = ["🎉", "🎂", "❤️", "🥳", "👏"]
const thanks = [5, 5, 10, 10, 10, 15, 20, 25, 25, 50]

/** The operator of the server, who creates the first accounts. */
const operator: Actor & { readonly who: string } = { user: null, who: "demo", way: "command line", address: null }

/** Plays a year of a company through the rules, as its people would. Always the same year, except for its dates.  */
export async function playYear(app: App, { scale, until, moveTo, sendMails }: YearOptions) {
  const dice = createDice(60)
  const firstDay = until - (until % dayMs) - (days - 1) * dayMs
  const workdays = Array.from({ length: days }, (_, day) => firstDay + day * dayMs).filter(isWorkday)

  /** Who is in the company now. */
  const present: User[] = []
  const left: User[] = []
  /** Redemptions that wait for an answer, the oldest first. */
  const requested: Redemption[] = []
  /** The latest transfers, newest first. */
  const recent: { readonly id: number; readonly isPrivate: boolean }[] = []
  /** Ids of the latest occasions in the feed, newest first. */
  const celebrated: number[] = []
  const counts = {
    people: 0,
    allowances: 0,
    grants: 0,
    recognitions: 0,
    groups: 0,
    reactions: 0,
    replies: 0,
    additions: 0,
    occasions: 0,
    congratulations: 0,
    wishes: 0,
    corrections: 0,
  }
  const redemptions = { redemptions: 0, fulfilled: 0, declined: 0 }
  const moves = { newcomers: 0, leavers: 0, erasures: 0 }

  const happenings: Happening[] = [
    ...times(days, (day) => ({ at: firstDay + day * dayMs + 9 * hourMs, act: beginMonth })).filter(isFirst),
    ...times(days, (day) => ({ at: firstDay + day * dayMs + 9 * hourMs, act: celebrate })),
    ...times(4, (quarter) => ({ at: momentBetween(quarter / 4 + 0.05, quarter / 4 + 0.2), act: grantToDepartment })),
    ...times(scale.recognitions, () => ({ at: momentBetween(0, 1), act: recognize })),
    ...times(scale.groups, () => ({ at: momentBetween(0.02, 1), act: thankTeam })),
    ...times(scale.reactions, () => ({ at: momentBetween(0.02, 1), act: react })),
    ...times(scale.replies, () => ({ at: momentBetween(0.02, 1), act: reply })),
    ...times(scale.additions, () => ({ at: momentBetween(0.02, 1), act: add })),
    ...times(scale.congratulations, () => ({ at: momentBetween(0.05, 1), act: congratulate })),
    ...times(scale.wishes, () => ({ at: momentBetween(0, 1), act: wish })),
    ...times(scale.corrections, () => ({ at: momentBetween(0.05, 1), act: takeBack })),
    ...times(scale.redemptions, () => momentBetween(0.15, 1)).flatMap((at) => [
      { at, act: redeem },
      { at: at + (1 + dice.below(4)) * dayMs, act: answer },
    ]),
    ...times(scale.erasures, () => ({ at: momentBetween(0.96, 1), act: erase })),
    ...newcomers.slice(0, scale.newcomers).map((one) => ({ at: momentBetween(0.1, 0.9), act: () => arrive(one) })),
    ...times(scale.leavers, () => ({ at: momentBetween(0.2, 0.95), act: leave })),
  ].sort((one, other) => one.at - other.at)

  moveTo(firstDay + 7 * hourMs)
  await app.programme.change(operator, programme)
  for (const one of members) await hire(one, startBeforeTheYear())
  counts.people = present.length
  for (const one of allowances) await addAllowance(one)
  for (const one of rewards) await app.catalogue.create(actorOf(manager()), one)
  for (const { at, act } of happenings) {
    if (at > until) continue
    moveTo(at)
    await act()
  }
  moveTo(until)
  return { ...counts, ...redemptions, ...moves }

  /** A moment in the working hours of that part of the year, 0 to 1, which has passed at its end. */
  function momentBetween(from: number, to: number): number {
    const [first, last] = [Math.floor(from * workdays.length), Math.floor(to * workdays.length)]
    for (;;) {
      const at = dice.pick(workdays.slice(first, last)) + 9 * hourMs + dice.below(9 * 60) * minuteMs
      if (at <= until) return at
    }
  }

  /** Allowances are due on the first of a month. */
  async function beginMonth() {
    await app.allowances.payDue((error) => {
      throw error
    })
  }

  /** It pays from the next period on, so the present one is paid by hand. */
  async function addAllowance(request: AllowanceRequest) {
    const { allowance } = await app.allowances.add(operator, request)
    await app.allowances.run(operator, allowance)
    counts.allowances += 1
  }

  async function hire({ manager, duties, ...member }: Member, joined: string) {
    const created = await app.users.create(operator, { ...member, password })
    const birthday = birthdayOf(member)
    const corrected = await app.users.correct(operator, created, { manager, duties, joined, birthday })
    const celebrates = member.username in lastBirthdays || dice.chance(0.6) ? true : dice.chance(0.1) ? false : null
    present.push(await app.users.updateOwnProfile(corrected, { celebrates }, actorOf(corrected)))
  }

  /** The first day of somebody who has been here for some years, whose anniversary may be any day of this year. */
  function startBeforeTheYear(): string {
    return app.calendar
      .dateAt(firstDay + dice.below(days) * dayMs)
      .subtract({ years: 1 + dice.below(8) })
      .toString()
  }

  function birthdayOf({ username }: Pick<Member, "username">): string {
    const before = lastBirthdays[username] ?? dice.below(days)
    return app.calendar
      .dateAt(firstDay + (days - 1 - before) * dayMs)
      .toString()
      .slice(5)
  }

  async function arrive(member: Member) {
    await hire(member, app.calendar.dateAt(app.clock()).toString())
    await app.grants.give(manager(), { value: 50, usernames: [member.username], note: { reason: welcome } })
    moves.newcomers += 1
    await celebrate()
  }

  async function leave() {
    // Somebody with a bio may be named as an account to look around with, and a team keeps its manager.
    const leads = new Set(present.map(({ managerId }) => managerId))
    const leaver = dice.pick(present.filter((user) => !isSuperuser(user) && user.bio === null && !leads.has(user.id)))
    present.splice(present.indexOf(leaver), 1)
    left.push(await app.leavers.deactivate(actorOf(manager()), leaver, { returnPoints: dice.chance(0.7) }))
    moves.leavers += 1
  }

  /** Those who left first ask for it first. */
  async function erase() {
    const [leaver] = left.splice(0, 1)
    if (!leaver) throw new Error("nobody has left")
    await app.leavers.erase(actorOf(manager()), leaver, dice.pick(["none", "written"]))
    moves.erasures += 1
  }

  /** Somebody who can afford something redeems it. */
  async function redeem() {
    for (const user of dice.shuffled(present.filter((one) => !isSuperuser(one)))) {
      const offered = (await app.catalogue.listFor(user)).filter(
        ({ isAffordable, stock, limitPerPerson, redeemed }) =>
          isAffordable && stock !== 0 && (limitPerPerson === null || redeemed < limitPerPerson),
      )
      if (offered.length === 0) continue
      const comment = dice.chance(0.3) ? dice.pick(comments) : null
      requested.push(await app.redemptions.redeem(user, { reward: dice.pick(offered), comment }))
      redemptions.redemptions += 1
      return sendMails()
    }
    throw new Error("nobody can afford a reward")
  }

  async function answer() {
    const [redemption] = requested.splice(0, 1)
    if (!redemption) throw new Error("no redemption waits for an answer")
    const by = actorOf(manager())
    if (dice.chance(0.2)) {
      await app.redemptions.decline(by, redemption, "Not available at the moment, sorry. The points are yours again.")
      redemptions.declined += 1
    } else {
      await app.redemptions.fulfil(by, redemption, dice.chance(0.4) ? "Enjoy! It is at the reception." : null)
      redemptions.fulfilled += 1
    }
    return sendMails()
  }

  async function grantToDepartment() {
    const dept = dice.pick(present.filter((user) => !isSuperuser(user))).dept
    await app.grants.give(manager(), { value: 20, depts: [dept], note: { reason: dice.pick(grantReasons) } })
    counts.grants += 1
  }

  async function recognize() {
    const balanceOf = await app.store.users.balancesOf(present.map(({ id }) => id))
    const sender = dice.pick(present.filter(({ id }) => balanceOf(id) >= smallestThanks))
    const others = present.filter((user) => user !== sender)
    const near = others.filter(({ dept }) => dept === sender.dept)
    const receiver = dice.pick(near.length > 0 && dice.chance(0.6) ? near : others)
    const value = dice.pick(thanks.filter((points) => points <= balanceOf(sender.id)))
    const note = recognitionNote(dice)
    const { id } = await app.ledger.sendPoints({ sender, receiver, value, ...(note && { note }) })
    recent.unshift({ id, isPrivate: note?.private ?? false })
    recent.splice(50)
    counts.recognitions += 1
  }

  /** Somebody thanks several people of a department. */
  async function thankTeam() {
    const { dept } = dice.pick(present)
    const team = dice.shuffled(present.filter((user) => user.dept === dept)).slice(0, 2 + dice.below(5))
    const balanceOf = await app.store.users.balancesOf(present.map(({ id }) => id))
    const total = smallestThanks * team.length
    const sender = dice.pick(present.filter((user) => !team.includes(user) && balanceOf(user.id) >= total))
    const value = dice.pick(thanks.filter((points) => points * team.length <= balanceOf(sender.id)))
    const note = recognitionNote(dice)
    const { group } = await app.thanks.send({ sender, receivers: team, value, ...(note && { note }) })
    recent.unshift({ id: group, isPrivate: note?.private ?? false })
    recent.splice(50)
    counts.groups += 1
  }

  async function react() {
    const [user, recognition] = await readerOfOne()
    await app.responses.react(user, recognition, dice.pick(usualEmojis), true)
    counts.reactions += 1
  }

  async function reply() {
    const [user, recognition] = await readerOfOne()
    await app.responses.reply(user, recognition, dice.pick(replies))
    counts.replies += 1
  }

  /** Somebody who looks at one of the latest recognitions. */
  async function readerOfOne() {
    const user = dice.pick(present)
    const { id } = dice.pick(recent.filter(({ isPrivate }) => !isPrivate).slice(0, 20))
    const recognition = await app.responses.findRecognition(user, id)
    if (!recognition) throw new Error(`recognition ${id} is missing`)
    return [user, recognition] as const
  }

  /** Somebody adds points to one of the latest recognitions of others. */
  async function add() {
    const balanceOf = await app.store.users.balancesOf(present.map(({ id }) => id))
    const reader = dice.pick(present.filter(({ id }) => balanceOf(id) >= smallestThanks))
    for (const { id, isPrivate } of dice.shuffled(recent.slice(0, 20))) {
      const recognition = isPrivate ? null : await app.responses.findRecognition(reader, id)
      if (!recognition || recognition.senderId === reader.id) continue
      const { receivers } = recognition
      if (!receivers.every(({ userId, reversed }) => reversed === 0 && userId !== reader.id && isPresent(userId)))
        continue
      if (balanceOf(reader.id) < smallestThanks * receivers.length) continue
      await app.additions.add({ sender: reader, recognition, value: smallestThanks })
      counts.additions += 1
      return
    }
    throw new Error("nobody can add points to anything")
  }

  /** What is due at nine, or when somebody arrives. */
  async function celebrate() {
    await app.occasions.celebrateDue((error) => {
      throw error
    })
    const { items } = await app.feed.page(manager(), { size: 10 })
    const latest = items.filter(({ id, occasion }) => occasion !== null && !celebrated.includes(id)).map(({ id }) => id)
    celebrated.unshift(...latest)
    counts.occasions += latest.length
  }

  /** A colleague has something to say to one of the latest occasions. */
  async function congratulate() {
    const balanceOf = await app.store.users.balancesOf(present.map(({ id }) => id))
    for (const id of dice.shuffled(celebrated.slice(0, 3))) {
      const occasion = await app.responses.findRecognition(manager(), id)
      const [celebrity] = occasion?.receivers ?? []
      if (!occasion || !celebrity || !isPresent(celebrity.userId)) continue
      const user = dice.pick(present.filter((one) => one.id !== celebrity.userId))
      if (dice.chance(0.2)) await app.responses.reply(user, occasion, dice.pick(congratulations))
      else if (dice.chance(0.25) && balanceOf(user.id) >= smallestThanks)
        await app.additions.add({ sender: user, recognition: occasion, value: smallestThanks })
      else await app.responses.react(user, occasion, dice.pick(congratulatoryEmojis), true)
      counts.congratulations += 1
      return
    }
    throw new Error("nobody celebrates anything")
  }

  async function wish() {
    const user = dice.pick(present.filter((one) => !isSuperuser(one)))
    await app.catalogue.wish(user, dice.pick(await app.catalogue.listFor(user)), true)
    counts.wishes += 1
  }

  function isPresent(userId: number): boolean {
    return present.some(({ id }) => id === userId)
  }

  /** Takes a recent transfer back, or a part of it, from somebody who still has the points. */
  async function takeBack() {
    const superuser = manager()
    for (const { id } of recent) {
      const original = await app.store.ledger.entry(id)
      if (!original || original.reversed > 0) continue
      if ((await app.store.users.balanceOf(original.receiverId)) < original.value) continue
      const value = dice.chance(0.3) ? Math.ceil(original.value / 2) : original.value
      await app.reversals.reverse({
        original,
        value,
        reason: dice.pick(mistakes),
        by: actorOf(superuser),
        superuser,
      })
      counts.corrections += 1
      return
    }
    throw new Error("no transfer can be taken back")
  }

  /** A superuser. */
  function manager(): User {
    return dice.pick(present.filter(isSuperuser))
  }
}

/** A superuser in the app. */
const actorOf = (user: User) => ({ user, who: user.username, way: "http", address: "127.0.0.1" }) as const

const times = <T>(count: number, one: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => one(index))

const isFirst = ({ at }: Happening): boolean => new Date(at).getUTCDate() === 1

const isWorkday = (ms: number): boolean => ![0, 6].includes(new Date(ms).getUTCDay())
