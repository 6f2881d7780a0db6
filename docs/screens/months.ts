import type { App } from "../../src/app/app.ts"
import type { User } from "../../src/domain/people/model.ts"
import { adminUsername } from "../../src/domain/people/users.ts"
import { operator } from "../../test/support/app.ts"
import { passwordOf, team } from "./team.ts"
import { type Note, often, type Said } from "./words.ts"

/** The moment of every picture: a Thursday afternoon where the team works. */
export const moment = Date.UTC(2026, 10, 19, 18, 32)

const [minute, day] = [60_000, 86_400_000]
const monthly = 80

interface Words {
  readonly lately: readonly Said[]
  /** The note of each month's budget. */
  readonly budget: string
}

/** Moves the clock to a moment that is not before the one it shows. */
type MoveTo = (ms: number) => void

/** Everybody has an account: that is all. */
export async function hire({ users }: App) {
  for (const { bio, ...one } of team) {
    const account = { ...one, email: `${one.username}@example.com`, password: passwordOf(one) }
    await users.create(operator, { ...account, bio })
  }
}

/** Eighty days of points and thanks, always the same, up to the moment of the pictures; what is read is said last. */
export async function live(app: App, { lately, budget }: Words, moveTo: MoveTo) {
  const people = new Map((await Promise.all(team.map(({ username }) => userOf(app, username)))).map(byUsername))
  const admin = await userOf(app, adminUsername)
  const rest = [...people.values()]
  const next = dice(7)

  for (let ago = 80; ago > 6; ago--) {
    const dawn = moment - ago * day - 7 * 60 * minute
    moveTo(dawn)
    if (new Date(dawn).getUTCDate() === 1 || ago === 80)
      await app.grants.give(admin, {
        value: monthly,
        usernames: [...people.keys()],
        note: { reason: budget },
      })
    if ([0, 6].includes(new Date(dawn).getUTCDay())) continue
    for (let thanks = next(9); thanks > 0; thanks--) {
      const [sender, receiver] = [rest[next(rest.length)], rest[next(rest.length)]]
      const reason = often[next(often.length)]
      if (!sender || !receiver || sender === receiver || !reason) continue
      moveTo(dawn + (9 - thanks) * 50 * minute)
      await thank({ sender, receiver, value: 5 * (1 + next(5)), note: { reason } })
    }
  }
  for (const [from, to, value, minutesAgo, note] of lately) {
    const [sender, receiver] = [people.get(from), people.get(to)]
    if (!sender || !receiver) throw new Error(`${from} or ${to} is not in the team`)
    moveTo(moment - minutesAgo * minute)
    await thank({ sender, receiver, value, ...(note && { note }) })
  }
  moveTo(moment)

  async function thank({ note, ...transfer }: Thanks) {
    await app.ledger.sendPoints({ ...transfer, ...(note && { note: { ...note } }) })
  }
}

interface Thanks {
  readonly sender: User
  readonly receiver: User
  readonly value: number
  readonly note?: Note
}

async function userOf({ store }: App, username: string): Promise<User> {
  const user = await store.users.byUsername(username)
  if (!user) throw new Error(`${username} has no account`)
  return user
}

const byUsername = (user: User): [string, User] => [user.username, user]

/** Whole numbers from 0 to below a bound, the same ones each time. */
function dice(seed: number): (bound: number) => number {
  let state = seed
  return (bound) => {
    state = (state * 48_271) % 2_147_483_647
    return Math.floor((state / 2_147_483_647) * bound)
  }
}
