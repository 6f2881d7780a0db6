import { auditEntry } from "../audit/audit-log.ts"
import type { Origin } from "../audit/ports.ts"
import type { Clock } from "../clock.ts"
import { DomainError, invalid } from "../errors.ts"
import { type FactorNotice, factorNoticeKind, type MailJobs } from "../jobs/jobs.ts"
import type { NewJob } from "../jobs/ports.ts"
import type { User } from "../people/model.ts"
import { type Actor, isSuperuser, requireSuperuser } from "../people/roles.ts"
import type { Store } from "../store.ts"
import { checkLine, sha256 } from "../text.ts"
import { mayUsePassword, type PasswordLogin } from "./login-rights.ts"
import type { FactorUse, NewSecondFactor, SecondFactor } from "./model.ts"
import { type Holder, keptBy } from "./sessions.ts"
import { hashOfToken, type Tokens } from "./tokens.ts"

/** How many second factors a person may have. */
const maxFactors = 10
/** Greatest length of the name that a person gives to a factor, in characters. */
export const maxFactorName = 100
const recoveryCodeCount = 10
/** How long the setup of one-time codes may take. */
const setupMs = 15 * 60_000

/** WebAuthn. Objects that come from the browser or go to it are not inspected here. */
export interface Passkeys {
  /**
   * Whether browsers create passkeys for the address of this service: it must be a host name, with https or at
   * localhost.
   */
  isUsable(): boolean
  creationOptions(user: User, known: readonly SecondFactor[], challenge: string): Promise<object>
  requestOptions(known: readonly SecondFactor[], challenge: string): Promise<object>
  /** The new passkey; null when the response does not answer this challenge at this address. */
  created(response: object, challenge: string): Promise<PasskeyData | null>
  /** The passkey that signed, and its counter; null when none of the known ones did. */
  signed(
    response: object,
    known: readonly SecondFactor[],
    challenge: string,
  ): Promise<{ readonly factorId: number; readonly counter: number } | null>
}

type PasskeyData = Pick<NewSecondFactor, "credentialId" | "transports" | "key" | "counter">

/** Time-based one-time codes of an authenticator app. */
export interface OneTimeCodes {
  /** A new secret: encrypted, as text, and as a URI that authenticator apps understand. */
  newSecret(user: User): Promise<{ readonly key: string; readonly secret: string; readonly uri: string }>
  /**
   * The number of the 30-second step that the code belongs to; null when the code is not valid now, or the key cannot
   * be decrypted.
   */
  stepOf(code: string, key: string, now: number): Promise<number | null>
}

/** One of three proofs of a second factor. */
export type Proof =
  | { readonly kind: "passkey"; readonly response: object }
  | { readonly kind: "totp"; readonly code: string }
  | { readonly kind: "recovery"; readonly code: string }

/** The second step of a log-in, after the password. */
export interface LoginChallenge {
  readonly methods: readonly Proof["kind"][]
  /** A signed token. It is valid in every process, once, for `challengeLifetimeMinutes`. */
  readonly token: string
  /** The options for the browser's `navigator.credentials.get`; null without a passkey. */
  readonly passkey: object | null
}

interface Dependencies {
  readonly store: Pick<Store, "secondFactors">
  readonly tokens: Tokens
  readonly passkeys: Passkeys
  readonly codes: OneTimeCodes
  readonly clock: Clock
  /** The setting `login.second_factor`. */
  readonly required: "off" | "superusers"
  readonly passwordLogin: PasswordLogin
  readonly mailJobs: MailJobs
}

export type SecondFactors = ReturnType<typeof createSecondFactors>

/**
 * Second factors (docs/operations/second-factor.md): passkeys and one-time codes, and recovery codes that replace them.
 */
export function createSecondFactors({
  store: { secondFactors: store },
  tokens,
  passkeys,
  codes,
  clock,
  required,
  passwordLogin,
  mailJobs,
}: Dependencies) {
  // A second factor protects a password, so users who may not log in with a password need none.
  const isRequired = (user: User) =>
    required === "superusers" && isSuperuser(user) && mayUsePassword(passwordLogin, user)

  return {
    /** Whether this user must have a second factor and has none. Such a user can only set one up. */
    isMissing: (user: User): false | Promise<boolean> =>
      isRequired(user) && store.of(user.id).then((factors) => factors.length === 0),

    has: async ({ id }: User): Promise<boolean> => (await store.of(id)).length > 0,

    /** The second factors and recovery codes that `user` has. */
    async overview(user: User) {
      return {
        factors: await store.of(user.id),
        recoveryCodes: await store.recoveryCodesLeft(user.id),
        isRequired: isRequired(user),
        canUsePasskeys: passkeys.isUsable(),
      }
    },

    // Logging in

    /** The challenge after the right password; null for an account without a second factor. */
    async challengeTo(user: User): Promise<LoginChallenge | null> {
      const factors = await store.of(user.id)
      if (factors.length === 0) return null
      const token = await tokens.signChallenge(user, "second_factor")
      const keys = passkeys.isUsable() ? factors.filter(({ kind }) => kind === "passkey") : []
      const methods: Proof["kind"][] = []
      if (keys.length > 0) methods.push("passkey")
      if (factors.some(({ kind }) => kind === "totp")) methods.push("totp")
      if ((await store.recoveryCodesLeft(user.id)) > 0) methods.push("recovery")
      const passkey = keys.length > 0 ? await passkeys.requestOptions(keys, webauthnChallenge(token)) : null
      return { methods, token, passkey }
    },

    /** The user whose log-in waits for a second factor.
     *  @throws DomainError `challenge_ended` */
    challenged: async (challenge: string): Promise<User> => (await verified(challenge, "second_factor")).user,

    /** Whether the proof is right and was never used before. If so, uses it up, together with the challenge.
     *  @throws DomainError `challenge_ended` */
    async prove(challenge: string, proof: Proof, origin: Pick<Origin, "address">): Promise<boolean> {
      const { user, ...token } = await verified(challenge, "second_factor")
      const use = await useOf(user, proof, challenge)
      if (use === null) return false
      const spent = { tokenHash: hashOfToken(challenge), expiresAt: token.expiresAt, version: token.version }
      const entry =
        use.kind === "recovery"
          ? auditEntry({ who: user.username, way: "http", ...origin }, clock(), "recovery_code_used")
          : undefined
      return store.use(user.id, use, spent, clock(), entry)
    },

    // Setting up. Guards require a recent log-in first (`Access.requireRecentLogin`).

    /** The options with which the browser creates a passkey, and the challenge to send back with the passkey.
     *  @throws DomainError `passkeys_unusable`, `too_many_factors` */
    async passkeyOptions({ user }: Holder) {
      if (!passkeys.isUsable()) throw new DomainError("passkeys_unusable")
      const factors = await factorsWithRoom(user)
      const challenge = await tokens.signChallenge(user, "passkey")
      const known = factors.filter(({ kind }) => kind === "passkey")
      return { challenge, options: await passkeys.creationOptions(user, known, webauthnChallenge(challenge)) }
    },

    /** Ends every other session and token.
     *  @throws DomainError `invalid`, `challenge_ended`, `passkey_known`, `too_many_factors` */
    async addPasskey(caller: Holder, request: { challenge: string; response: object; name: string }, origin: Origin) {
      const { user } = await verified(request.challenge, "passkey")
      if (user.id !== caller.user.id) throw new DomainError("challenge_ended")
      const name = checkedName(request.name)
      await factorsWithRoom(user)
      const made = await passkeys.created(request.response, webauthnChallenge(request.challenge))
      if (made === null) throw invalid("response", "the browser's answer to these options")
      const added = await add(caller, { kind: "passkey", name, ...made }, origin)
      if (added === null) throw new DomainError("passkey_known")
      return added
    },

    /**
     * Makes a new secret for an authenticator app. It becomes a second factor with `confirmCodes`.
     * @throws DomainError `too_many_factors`
     */
    async beginCodes({ user }: Holder) {
      await factorsWithRoom(user)
      const { key, ...shown } = await codes.newSecret(user)
      await store.beginSetup(user.id, { key, expiresAt: clock() + setupMs })
      return shown
    },

    /** Ends every other session and token.
     *  @throws DomainError `invalid`, `no_setup`, `too_many_factors` */
    async confirmCodes(caller: Holder, { code, name }: { code: string; name: string }, origin: Origin) {
      await factorsWithRoom(caller.user)
      const setup = await store.setupOf(caller.user.id, clock())
      if (setup === null) throw new DomainError("no_setup")
      const step = await codes.stepOf(code, setup.key, clock())
      if (step === null) throw invalid("code", "the code that the app shows now")
      const factor = { kind: "totp", key: setup.key, counter: step, credentialId: null, transports: null } as const
      const added = await add(caller, { ...factor, name: checkedName(name) }, origin)
      if (added === null) throw new Error("one-time codes have no passkey that somebody could have")
      return added
    },

    /** Ends every other session and token.
     *  @throws DomainError `factor_not_found`, `factor_needed` */
    async remove(caller: Holder, id: number, origin: Origin): Promise<void> {
      const { user } = caller
      const factors = await store.of(user.id)
      const factor = factors.find((one) => one.id === id)
      if (!factor) throw new DomainError("factor_not_found")
      if (factors.length === 1 && isRequired(user)) throw new DomainError("factor_needed")
      const about = {
        whom: user.username,
        detail: factor.kind,
        before: { kind: factor.kind, name: factor.name },
      }
      const entry = auditEntry(origin, clock(), "second_factor_removed", about)
      const notice = noticeOf(user, `${factor.kind}_removed`)
      if (!(await store.remove(user.id, id, keptBy(caller), entry, notice))) throw new DomainError("factor_not_found")
      mailJobs.wake()
    },

    /** Replaces the recovery codes. The new ones are shown only now.
     *  @throws DomainError `no_factor` */
    async newRecoveryCodes(caller: Holder, origin: Origin): Promise<string[]> {
      const { user } = caller
      const made = Array.from({ length: recoveryCodeCount }, newRecoveryCode)
      const hashes = made.map((code) => hashOfCode(user, code))
      const entry = auditEntry(origin, clock(), "recovery_codes_created", { whom: user.username })
      if (!(await store.replaceRecoveryCodes(user.id, hashes, keptBy(caller), entry)))
        throw new DomainError("no_factor")
      return made
    },

    /** Removes all second factors of a person who lost them, and ends all sessions and tokens. Returns the number of
     *  factors.
     *  @throws DomainError `not_superuser` */
    async reset(actor: Actor, target: User): Promise<number> {
      requireSuperuser(actor)
      const entry = auditEntry(actor, clock(), "second_factors_reset", { whom: target.username })
      const removed = await store.reset(target.id, entry, noticeOf(target, "reset"))
      if (removed > 0) mailJobs.wake()
      return removed
    },

    /** Called about once a minute. */
    sweep: (now: number): Promise<void> => store.pruneSetups(now),
  }

  async function verified(challenge: string, scope: "second_factor" | "passkey") {
    try {
      return await tokens.verify(challenge, scope)
    } catch (error) {
      if (error instanceof DomainError && error.code === "bad_credentials") throw new DomainError("challenge_ended")
      throw error
    }
  }

  async function useOf(user: User, proof: Proof, challenge: string): Promise<FactorUse | null> {
    if (proof.kind === "recovery") return { kind: "recovery", codeHash: hashOfCode(user, proof.code) }
    const factors = (await store.of(user.id)).filter(({ kind }) => kind === proof.kind)
    if (proof.kind === "totp") return codeUse(proof.code, factors)
    const signed = await passkeys.signed(proof.response, factors, webauthnChallenge(challenge))
    return signed && { kind: "passkey", ...signed }
  }

  async function codeUse(code: string, factors: readonly SecondFactor[]): Promise<FactorUse | null> {
    for (const { id, key } of factors) {
      const step = await codes.stepOf(code, key, clock())
      if (step !== null) return { kind: "totp", factorId: id, counter: step }
    }
    return null
  }

  async function factorsWithRoom({ id }: User): Promise<readonly SecondFactor[]> {
    const factors = await store.of(id)
    if (factors.length >= maxFactors) throw new DomainError("too_many_factors")
    return factors
  }

  async function add(
    caller: Holder,
    factor: Omit<NewSecondFactor, "createdAt">,
    origin: Origin,
  ): Promise<SecondFactor | null> {
    const { id, username } = caller.user
    const now = clock()
    const about = { whom: username, detail: factor.kind, after: { kind: factor.kind, name: factor.name } }
    const entry = auditEntry(origin, now, "second_factor_added", about)
    const notice = noticeOf(caller.user, `${factor.kind}_added`)
    const added = await store.add(id, { ...factor, createdAt: now }, keptBy(caller), entry, notice)
    if (added !== null) mailJobs.wake()
    return added
  }

  function noticeOf({ id }: User, change: FactorNotice["change"]): NewJob {
    const payload: FactorNotice = { userId: id, change, at: clock() }
    return mailJobs.of(factorNoticeKind, payload)
  }
}

/** The challenge that the browser signs. It is derived from the token, so that nothing needs to be stored. */
const webauthnChallenge = (token: string): string => Buffer.from(sha256(token), "hex").toString("base64url")

/** The characters of recovery codes, without letters and digits that look alike. */
const alphabet = "abcdefghjkmnpqrstuvwxyz23456789"
/** 16 characters out of 31 make 79 bits: too many to guess a code from its hash. */
const codeLength = 16

function newRecoveryCode(): string {
  let code = ""
  while (code.length < codeLength) {
    const [byte = 255] = crypto.getRandomValues(new Uint8Array(1))
    if (byte < 256 - (256 % alphabet.length)) code += alphabet[byte % alphabet.length]
  }
  return (code.match(/.{4}/g) ?? []).join("-")
}

/** Ignores case, spaces and hyphens. The user's id makes the hashes of equal codes of two people differ. */
const hashOfCode = ({ id }: User, code: string): string =>
  sha256(`recovery code of ${id}: ${code.toLowerCase().replaceAll(/[\s-]/g, "")}`)

function checkedName(name: string): string {
  const trimmed = name.trim()
  checkLine("name", trimmed, maxFactorName)
  return trimmed
}
