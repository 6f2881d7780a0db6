/** A cookie session. The store sees only a hash of its id, so that a copy of the database opens no session. */
export interface Session {
  readonly idHash: string
  readonly username: string
  readonly expiresAt: number
}

/** A session with the details that its owner and the operator see. Null where they are unknown. */
export interface OpenSession extends Session {
  readonly openedAt: number | null
  /** The IP address that opened it. */
  readonly address: string | null
}

export interface NewSession extends OpenSession {
  /** A hash of the log-in at a provider that opened it; absent or null: none, or not known. */
  readonly providedBy?: string | null
}

/** Open sessions of one person: far more than anybody has devices. */
export const maxSessions = 100

/** What an API token may do, from least to most; each includes those before it. */
export const tokenScopes = ["read", "give", "admin"] as const

export type TokenScope = (typeof tokenScopes)[number]

export type ApiTokenKind = "personal" | "service"

/** A token for programs (docs/interface/authentication.md, "API tokens"). */
export interface ApiToken {
  readonly id: number
  readonly kind: ApiTokenKind
  /** The account whose rights it has: the owner of a personal token, or the account that a service token acts for. */
  readonly username: string
  readonly name: string
  /** The first characters of its secret. */
  readonly prefix: string
  readonly scopes: readonly TokenScope[]
  readonly createdAt: number
  /** Null: never. */
  readonly expiresAt: number | null
  /** Null: never used. Stored about once a minute. */
  readonly lastUsedAt: number | null
  /** The IP address of the last use. */
  readonly lastUsedFrom: string | null
}

export interface NewApiToken extends Pick<ApiToken, "kind" | "name" | "prefix" | "scopes" | "createdAt" | "expiresAt"> {
  readonly userId: number
  /** SHA-256 of the secret. */
  readonly hash: string
  /** The `accessVersion` of the user who asks for a personal token. Absent: not checked. */
  readonly accessVersion?: number
}

export interface ApiTokenUse {
  readonly id: number
  readonly at: number
  readonly address: string
}

/** An account at a single sign-on provider, with which a user logs in. */
export interface Identity {
  /** The provider: its issuer identifier. */
  readonly issuer: string
  /** The provider's own id of the account, which never changes. */
  readonly subject: string
  readonly userId: number
  readonly linkedAt: number
}

export const secondFactorKinds = ["passkey", "totp"] as const

export type SecondFactorKind = (typeof secondFactorKinds)[number]

/** A second factor: a passkey, or an app that shows one-time codes. */
export interface NewSecondFactor {
  readonly kind: SecondFactorKind
  /** Chosen by its owner, to recognize it. */
  readonly name: string
  /** Of a passkey, in base64url; null for one-time codes. */
  readonly credentialId: string | null
  /** The passkey's transports (WebAuthn), separated by commas; null when the browser names none. */
  readonly transports: string | null
  /** The public key of a passkey, in base64url; the encrypted secret of one-time codes. */
  readonly key: string
  /** The last value used: signature counter of a passkey, or number of the 30-second step of a one-time code. */
  readonly counter: number
  readonly createdAt: number
}

export interface SecondFactor extends NewSecondFactor {
  readonly id: number
  readonly lastUsedAt: number | null
}

/** The proof of a second factor at a log-in. It works once, so that nobody can replay it. */
export type FactorUse =
  | { readonly kind: SecondFactorKind; readonly factorId: number; readonly counter: number }
  | { readonly kind: "recovery"; readonly codeHash: string }

/** The secret of one-time codes that a person is setting up. */
export interface TotpSetup {
  /** Encrypted. */
  readonly key: string
  readonly expiresAt: number
}

/** How many events of one key are allowed in a window of time, such as failed log-ins to one account. */
export interface RateLimit {
  /** What is counted. The same key in two kinds is counted separately. */
  readonly kind: string
  readonly key: string
  readonly max: number
  /** Length of a window, which begins with the first event of its key. */
  readonly windowMs: number
}

/** A counted event. `endsAt` identifies the window in which it was counted. */
export interface CountedEvent extends Pick<RateLimit, "kind" | "key"> {
  readonly endsAt: number
}

/** The result of counting; `counted` is empty when a window was full. */
export interface CountResult {
  /** When the last of the full windows ends; null when none was full. */
  readonly fullUntil: number | null
  readonly counted: readonly CountedEvent[]
}
