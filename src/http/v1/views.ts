import type { SecretlessConfig } from "../../config/settings.ts"
import { isSuperuser } from "../../domain/auth/roles.ts"
import type { OwnSession } from "../../domain/auth/sessions.ts"
import type { DayTotals, Department, PeopleCursor, PeoplePage, PersonSummary, User } from "../../domain/model.ts"
import type { Leaderboard } from "../../domain/recognition/leaderboard.ts"
import type { DayOfAll, UserTotals } from "../../domain/recognition/statistics.ts"
import { isoDate } from "../../stream/frames.ts"

/** The fields of everything under /api/v1. Dates there are UTC and say so, unlike the contract's. */
export const utc = (ms: number): string => `${isoDate(ms)}Z`

export const serviceView = (
  { service, stream, recognition, ui }: SecretlessConfig,
  version: string,
  holdsWallKey: boolean,
) => ({
  name: service.name,
  version,
  stream_access: holdsWallKey ? ("public" as const) : stream.access,
  tags: recognition.tags,
  feed: recognition.feed,
  avatar_hosts: ui.avatar_hosts,
})

export const roleOf = (user: User) => (isSuperuser(user) ? "superuser" : "member")

export const meView = (user: User, more: { readonly balance: number; readonly hasInitialPassword: boolean }) => ({
  username: user.username,
  name: user.name,
  email: user.email,
  dept: user.dept,
  currency: user.currency,
  avatar: user.avatar,
  bio: user.bio,
  role: roleOf(user),
  balance: more.balance,
  initial_password: more.hasInitialPassword,
})

export const accountView = (user: User, balance: number) => ({
  ...faceView(user),
  email: user.email,
  currency: user.currency,
  bio: user.bio,
  role: roleOf(user),
  balance,
})

export const sessionView = ({ handle, isThisOne, openedAt, expiresAt, address }: OwnSession) => ({
  id: handle,
  current: isThisOne,
  opened_at: openedAt === null ? null : utc(openedAt),
  expires_at: utc(expiresAt),
  address,
})

export const faceView = ({ username, name, dept, avatar }: Omit<PersonSummary, "id">) => ({
  username,
  name,
  dept,
  avatar,
})

export const peopleView = ({ items, next }: PeoplePage) => ({
  items: items.map(faceView),
  next: next && placeText(next),
})

const placeText = ({ isOther, key, id }: PeopleCursor): string =>
  `${isOther ? 1 : 0}${id}.${Buffer.from(key).toString("base64url")}`

export const personView = (user: User, totals: UserTotals | null) => ({
  ...faceView(user),
  bio: user.bio,
  role: roleOf(user),
  received: totals?.received ?? null,
  sent: totals?.sent ?? null,
})

export const leaderboardView = ({ period, by, span, shows, items, own }: Leaderboard) => ({
  period,
  by,
  shows,
  start: Number.isFinite(span.start) ? utc(span.start) : null,
  end: Number.isFinite(span.end) ? utc(span.end) : null,
  items: items.map(({ face, ...place }) => ({ ...place, ...faceView(face) })),
  own,
})

export const ownDayView = ({ day, received, receivedCount, sent, sentCount, balance }: DayTotals) => ({
  day: dateOf(day),
  received: { points: received, count: receivedCount },
  sent: { points: sent, count: sentCount },
  balance,
})

export const dayView = ({ day, points, count }: DayOfAll) => ({ day: dateOf(day), points, count })

const dateOf = (ms: number): string => isoDate(ms).slice(0, 10)

export const departmentView = ({ name, people }: Department) => ({ name, people })
