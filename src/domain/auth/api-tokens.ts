import { auditEntry } from "../audit/audit-log.ts"
import type { AuditEntry, Origin } from "../audit/ports.ts"
import { type Calendar, dateOf, dayMs } from "../calendar.ts"
import type { Clock } from "../clock.ts"
import { DomainError, invalid } from "../errors.ts"
import { alsoMaking, type KeyedRequest, type MakeOnce } from "../idempotency/idempotency.ts"
import type { Once } from "../idempotency/ports.ts"
import { checkField } from "../people/fields.ts"
import type { User } from "../people/model.ts"
import { type Actor, isSuperuser, requireSuperuser } from "../people/roles.ts"
import type { Store } from "../store.ts"
import { sha256 } from "../text.ts"
import { mayLogIn } from "./login-rights.ts"
import { type ApiToken, type ApiTokenKind, type ApiTokenUse, type TokenScope, tokenScopes } from "./model.ts"
import { createPendingRows } from "./pending-rows.ts"

/** The prefix of every secret, by which scanners recognize leaked secrets. */
export const secretPrefix = "rwd_"
/** How many tokens of each kind an account may have, including expired ones. */
export const maxTokens = 50
/** How long expired tokens are listed, so that their owner sees why a program stopped working. */
const keptExpiredMs = 30 * dayMs

/** The request for a new token, not yet checked. */
interface ApiTokenRequest {
  readonly name: string
  readonly scopes: readonly string[]
  /** A time in ISO 8601 with `Z`, or a day, at the beginning of which it expires. Null or absent: never. */
  readonly expiresAt?: string | null | undefined
}

/** A new token with its secret, which is shown only now. */
export interface CreatedToken {
  readonly apiToken: ApiToken
  readonly secret: string
}

interface Dependencies {
  readonly store: Pick<Store, "apiTokens" | "users">
  readonly clock: Clock
  readonly makeOnce: MakeOnce
  readonly calendar: Calendar
}

export type ApiTokens = ReturnType<typeof createApiTokens>

/** Tokens for programs (docs/interface/authentication.md, "API tokens"). The store keeps only hashes of their secrets. */
export function createApiTokens({ store, clock, makeOnce, calendar }: Dependencies) {
  const uses = createPendingRows<number, ApiTokenUse>((rows) => store.apiTokens.saveUses(rows))
  const counted = { accepted: 0, refused: 0 }

  return {
    /** Creates a personal token for its owner.
     *  @throws DomainError `invalid`, `bad_credentials`, `too_many_tokens`, and those of `MakeOnce` */
    createOwn: (
      user: User,
      origin: Origin,
      request: ApiTokenRequest,
      keyed?: KeyedRequest | null,
    ): Promise<CreatedToken> => makeOnce(keyed, (once) => create("personal", user, origin, request, once)),

    /** Creates a service token that acts for `account`.
     *  @throws DomainError `not_superuser`, `invalid`, `user_not_found`, `bad_credentials`, `too_many_tokens`, and those of
     *   `MakeOnce` */
    async createService(
      actor: Actor,
      account: User,
      request: ApiTokenRequest,
      keyed?: KeyedRequest | null,
    ): Promise<CreatedToken> {
      requireSuperuser(actor)
      if (!mayLogIn(account)) throw new DomainError("user_not_found", { field: "username" })
      return makeOnce(keyed, (once) => create("service", account, actor, request, once))
    },

    ownOf: (user: User): Promise<ApiToken[]> => list(user.id, "personal"),
    service: (): Promise<ApiToken[]> => list(null, "service"),
    all: (): Promise<ApiToken[]> => list(null, null),

    /** @throws DomainError `token_not_found` when it was revoked meanwhile */
    async revoke(origin: Origin, apiToken: ApiToken): Promise<void> {
      const isDone = await store.apiTokens.revoke(apiToken.id, entryAbout(origin, "token_revoked", apiToken))
      if (!isDone) throw new DomainError("token_not_found")
    },

    /**
     * The token with this secret, and the account whose rights it has. Records the use.
     * @throws DomainError `bad_credentials` when it is malformed, unknown, expired or revoked
     */
    async resolve(secret: string, address: string): Promise<{ readonly apiToken: ApiToken; readonly user: User }> {
      const apiToken = isWellFormed(secret) ? await store.apiTokens.find(sha256(secret)) : null
      const now = clock()
      const isValid = apiToken !== null && !isExpired(apiToken, now)
      const user = isValid ? await store.users.byUsername(apiToken.username) : null
      if (apiToken === null || !mayLogIn(user)) {
        counted.refused += 1
        throw new DomainError("bad_credentials")
      }
      counted.accepted += 1
      uses.add(apiToken.id, { id: apiToken.id, at: now, address })
      return { apiToken, user }
    },

    /** How many credentials that look like API tokens this process has accepted and refused, whatever their scope. */
    counts: (): { readonly accepted: number; readonly refused: number } => counted,

    /** Called about once a minute. */
    async sweep(now: number): Promise<void> {
      await uses.flush()
      await store.apiTokens.prune(now - keptExpiredMs)
    },

    /** Call it before the store is closed. */
    close: uses.flush,
  }

  async function create(
    kind: ApiTokenKind,
    account: User,
    origin: Origin,
    { name, scopes: named, expiresAt }: ApiTokenRequest,
    once?: Once<CreatedToken>,
  ): Promise<CreatedToken> {
    checkField("name", name)
    const scopes = checkedScopes(named, account)
    const createdAt = clock()
    const secret = newSecret()
    const token = {
      userId: account.id,
      kind,
      name,
      prefix: secret.slice(0, prefixLength),
      hash: sha256(secret),
      scopes,
      createdAt,
      expiresAt: checkedExpiry(expiresAt ?? null, createdAt),
      ...(kind === "personal" && { accessVersion: account.accessVersion }),
    }
    const audit = entryAbout(origin, "token_created", { ...token, username: account.username })
    const made = (apiToken: ApiToken) => ({ apiToken, secret })
    return made(await store.apiTokens.create(token, maxTokens, audit, alsoMaking(once, made)))
  }

  /** Stores pending uses first, so that the list includes them. */
  async function list(userId: number | null, kind: ApiTokenKind | null): Promise<ApiToken[]> {
    await uses.flush()
    return store.apiTokens.list(userId, kind)
  }

  function entryAbout(
    origin: Origin,
    action: "token_created" | "token_revoked",
    { kind, username, name, scopes, expiresAt }: Pick<ApiToken, "kind" | "username" | "name" | "scopes" | "expiresAt">,
  ): AuditEntry {
    const values = { kind, name, scopes, expires_at: expiresAt === null ? null : new Date(expiresAt).toISOString() }
    return auditEntry(origin, clock(), action, {
      whom: username,
      detail: `${kind} ${name}: ${scopes.join(", ")}`,
      ...(action === "token_created" ? { after: values } : { before: values }),
    })
  }

  /** @throws DomainError `invalid` */
  function checkedExpiry(text: string | null, now: number): number | null {
    if (text === null) return null
    const day = dateOf(text)
    const isMoment = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?Z$/.test(text)
    const moment = day ? calendar.momentOf(day, "00:00") : isMoment ? Date.parse(text) : Number.NaN
    if (!(moment > now)) throw invalid("expires_at", "a day YYYY-MM-DD or a time YYYY-MM-DDTHH:MM:SSZ in the future")
    return moment
  }
}

const isExpired = ({ expiresAt }: ApiToken, now: number): boolean => expiresAt !== null && expiresAt <= now

/** @throws DomainError `invalid` */
function checkedScopes(named: readonly string[], account: User): TokenScope[] {
  const scopes = tokenScopes.filter((scope) => named.includes(scope))
  if (scopes.length === 0 || named.some((name) => !tokenScopes.some((scope) => scope === name)))
    throw invalid("scopes", `some of ${tokenScopes.join(", ")}`)
  if (scopes.includes("admin") && !isSuperuser(account)) throw invalid("scopes", "admin is for superusers' accounts")
  return scopes
}

// The secret: the prefix, 32 random bytes, and a checksum of both, all in letters and digits.

const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
/** Digits in base 62: 43 for 256 bits, 6 for the 32 bits of the checksum. */
const randomLength = 43
const checksumLength = 6
/** Length of the part of a secret that is stored and shown. */
const prefixLength = secretPrefix.length + 8

function newSecret(): string {
  const random = BigInt(`0x${crypto.getRandomValues(new Uint8Array(32)).toHex()}`)
  const body = secretPrefix + inBase62(random, randomLength)
  return body + checksumOf(body)
}

/** Refuses a mistyped or truncated secret without asking the store. */
function isWellFormed(secret: string): boolean {
  const bodyLength = secretPrefix.length + randomLength
  if (secret.length !== bodyLength + checksumLength) return false
  return secret.slice(bodyLength) === checksumOf(secret.slice(0, bodyLength))
}

const checksumOf = (body: string): string => inBase62(BigInt(Bun.hash.crc32(body)), checksumLength)

function inBase62(number: bigint, length: number): string {
  let text = ""
  for (let rest = number; rest > 0n; rest /= 62n) text = digits.charAt(Number(rest % 62n)) + text
  return text.padStart(length, "0")
}
