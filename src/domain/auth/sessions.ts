import { auditEntry } from "../audit/audit-log.ts"
import type { Origin } from "../audit/ports.ts"
import { type Clock, isFromFuture } from "../clock.ts"
import { DomainError } from "../errors.ts"
import type { KeptCredential } from "../people/credentials.ts"
import type { User } from "../people/model.ts"
import type { Store } from "../store.ts"
import { sha256 } from "../text.ts"
import { mayLogIn } from "./login-rights.ts"
import type { OpenSession } from "./model.ts"
import { hashOfToken, recentMs } from "./tokens.ts"

interface Dependencies {
  readonly store: Pick<Store, "users" | "sessions">
  readonly clock: Clock
  readonly expireSeconds: number
  /** How long a session lasts that a provider opened; at most `expireSeconds`. */
  readonly providedSeconds: number
}

/** A log-in at a provider. */
export interface ProvidedLogin {
  readonly issuer: string
  /** The provider's id of it; null when it has none. */
  readonly session: string | null
}

/** The user, and the credential of this request: a session or an access token. Every `Caller` is a `Holder`. */
export interface Holder {
  readonly user: User
  /** Hash of the session's id; null when a token was used. */
  readonly sessionHash: string | null
  /** The access token; null when a session was used. */
  readonly token: string | null
}

/** One of the caller's open sessions. */
export interface OwnSession extends OpenSession {
  /** The session's name in the interface. It does not give access to the session. */
  readonly handle: string
  /** Whether this request was made with it. */
  readonly isThisOne: boolean
}

export type Sessions = ReturnType<typeof createSessions>

/** Cookie sessions (docs/interface/authentication.md). The store keeps only hashes of their ids. */
export function createSessions({ store, clock, expireSeconds, providedSeconds }: Dependencies) {
  return {
    /**
     * Opens a session, ends the one that the request presented, and returns the new id: 32 hex digits. `user` has the
     * state at the time of the log-in check. `login` is the one at a provider, if there was one.
     * @throws DomainError `bad_login` when the password or another requirement for the log-in has changed since
     */
    async open(
      user: User,
      presentedId: string | null,
      address: string | null = null,
      login: ProvidedLogin | null = null,
    ): Promise<string> {
      const id = crypto.getRandomValues(new Uint8Array(16)).toHex()
      const openedAt = clock()
      const expiresAt = openedAt + (login === null ? expireSeconds : providedSeconds) * 1000
      const providedBy = login === null ? null : keyOf(login)
      const session = { idHash: sha256(id), username: user.username, expiresAt, openedAt, address, providedBy }
      await store.sessions.open(session, presentedId === null ? null : sha256(presentedId), user.refreshVersion)
      return id
    },

    /**
     * The user of a session.
     * @throws DomainError `bad_session`, `session_user_missing`
     */
    async resolve(id: string): Promise<{ user: User; idHash: string; expiresAt: number }> {
      const now = clock()
      const session = await store.sessions.find(sha256(id), now)
      // One that would last longer than any session was opened while the clock was wrong.
      if (!session || isFromFuture(session.expiresAt - expireSeconds * 1000, now)) throw new DomainError("bad_session")
      const user = await store.users.byUsername(session.username)
      if (!user) throw new DomainError("session_user_missing")
      if (!mayLogIn(user)) throw new DomainError("bad_session")
      return { user, idHash: session.idHash, expiresAt: session.expiresAt }
    },

    /** Does nothing when there is no such session. */
    end: (id: string): Promise<void> => store.sessions.end(sha256(id)),

    /**
     * Ends the sessions of a log-in at a provider, only those of `user` unless it is null. Where none is known by this log-in,
     * all of `user` end that are at least `ageMs` old.
     */
    async endProvided(
      { user, login, ageMs }: { readonly user: User | null; readonly login: ProvidedLogin; readonly ageMs: number },
      origin: Origin,
    ): Promise<void> {
      const now = clock()
      const key = keyOf(login)
      const known = key === null ? [] : await store.sessions.ofLogin(key, now)
      const named = known.filter(({ username }) => user === null || username === user.username)
      const others = async ({ username }: User) =>
        (await store.sessions.list(username, now)).filter(({ openedAt }) => (openedAt ?? 0) <= now - ageMs)
      const open = named.length > 0 || user === null ? named : await others(user)
      for (const { idHash, username } of open) {
        const about = { whom: username, detail: "a session, because of a log-out at the provider" }
        await store.sessions.end(idHash, auditEntry(origin, now, "access_ended", about))
      }
    },

    /** Whether this request has a session whose log-in was at most 15 minutes ago. */
    async isRecent({ user, sessionHash }: Pick<Holder, "user" | "sessionHash">): Promise<boolean> {
      const now = clock()
      const open = await store.sessions.list(user.username, now)
      const openedAt = open.find(({ idHash }) => idHash === sessionHash)?.openedAt ?? null
      return openedAt !== null && now - openedAt < recentMs && !isFromFuture(openedAt, now)
    },

    /** The user's open sessions, newest first. */
    async openOf({ user, sessionHash }: Holder): Promise<OwnSession[]> {
      const open = await store.sessions.list(user.username, clock())
      return open.map((session) => ({
        ...session,
        handle: handleOf(session.idHash),
        isThisOne: session.idHash === sessionHash,
      }))
    },

    /**
     * Ends one of the user's sessions. Returns whether it was the one of this request.
     * @throws DomainError `session_not_found`
     */
    async endOwn({ user, sessionHash }: Holder, handle: string, origin: Origin): Promise<boolean> {
      const open = await store.sessions.list(user.username, clock())
      const named = open.find(({ idHash }) => handleOf(idHash) === handle)
      if (!named) throw new DomainError("session_not_found")
      await store.sessions.end(named.idHash, ended(user, origin, "a session"))
      return named.idHash === sessionHash
    },

    /**
     * Ends every session and token of the user except the credential of this request; links in reset mails stop working
     * too. Returns the number of sessions ended.
     */
    endOthers(holder: Holder, origin: Origin): Promise<number> {
      return store.users.endOthers(
        holder.user.id,
        keptBy(holder),
        ended(holder.user, origin, "every other session and token"),
      )
    },
  }

  function ended({ username }: User, origin: Origin, detail: string) {
    return auditEntry(origin, clock(), "access_ended", { whom: username, detail })
  }
}

/** The credential that stays valid when the holder ends all others. */
export const keptBy = ({ user: { accessVersion }, sessionHash, token }: Holder): KeptCredential => ({
  session: sessionHash,
  token: token === null ? null : hashOfToken(token),
  accessVersion,
})

/** Null when the provider has no id of the log-in. */
const keyOf = ({ issuer, session }: ProvidedLogin): string | null =>
  session === null ? null : sha256(JSON.stringify([issuer, session]))

const handleOf = (idHash: string): string => sha256(`handle of ${idHash}`).slice(0, 32)
