import { sha256 } from "./digest.ts"
import { DomainError } from "./errors.ts"
import type { Clock, Store, User } from "./store.ts"

interface Dependencies {
  readonly store: Pick<Store, "users" | "sessions">
  readonly clock: Clock
  readonly expireSeconds: number
}

export type Sessions = ReturnType<typeof createSessions>

export function createSessions({ store, clock, expireSeconds }: Dependencies) {
  return {
    /** Opens a session for `user`, ends the one that was presented, and returns the new id: 32 hex digits
     *  (contract, POST /login). The store keeps only its hash. */
    async open(user: User, presentedId: string | null, address: string | null = null): Promise<string> {
      const id = crypto.getRandomValues(new Uint8Array(16)).toHex()
      const openedAt = clock()
      const expiresAt = openedAt + expireSeconds * 1000
      const session = { idHash: sha256(id), username: user.username, expiresAt, openedAt, address }
      await store.sessions.open(session, presentedId === null ? null : sha256(presentedId))
      return id
    },

    /** Whose session this is (contract, Authentication 2.1).
     *  @throws DomainError `bad_session`, `session_user_missing` */
    async resolve(id: string): Promise<{ user: User; idHash: string }> {
      const session = await store.sessions.find(sha256(id), clock())
      if (!session) throw new DomainError("bad_session")
      const user = await store.users.byUsername(session.username)
      if (!user) throw new DomainError("session_user_missing")
      return { user, idHash: session.idHash }
    },

    /** Ends it if there is one (contract, POST /logout). */
    end: (id: string): Promise<void> => store.sessions.end(sha256(id)),
  }
}
