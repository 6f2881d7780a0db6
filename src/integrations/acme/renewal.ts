import { createPrivateKey, generateKeyPairSync, X509Certificate } from "node:crypto"
import { dirname, resolve } from "node:path"
import type { SecretlessConfig } from "../../config/settings.ts"
import type { Clock } from "../../domain/clock.ts"
import { createFetch } from "../../net/connecting.ts"
import type { Resolve } from "../../net/resolver.ts"
import type { Log } from "../../support/log.ts"
import { systemCodeOf, writeProblemOf } from "../../support/system-errors.ts"
import { certify, type ExternalAccount } from "./client.ts"
import { certificateRequest, selfSigned } from "./der.ts"
import { AcmeFailure } from "./failure.ts"
import { type AcmeState, readState, type StoredCertificate, writeState } from "./state.ts"

export interface AcmeSettings {
  readonly domains: readonly string[]
  readonly directory: string
  readonly email: string | null
  readonly externalAccount: ExternalAccount | null
  /** The folder of the state. */
  readonly folder: string
}

/** Of a server with `server.acme_domains`. `cwd` is its working directory. */
export function acmeSettingsOf({ server, db }: Pick<SecretlessConfig, "server" | "db">, cwd: string): AcmeSettings {
  const { acme_eab_kid: kid, acme_eab_key: key } = server
  return {
    domains: server.acme_domains,
    directory: server.acme_directory,
    email: server.acme_email,
    externalAccount: kid === null || key === null ? null : { kid, key },
    folder: resolve(dirname(resolve(cwd, db.path)), server.state_dir),
  }
}

export interface CertificatePair {
  readonly cert: string
  readonly key: string
}

interface Dependencies {
  readonly clock: Clock
  readonly log: Log
  readonly resolve?: Resolve
}

type Use = (pair: CertificatePair, wasTrusted: boolean) => void

const minuteMs = 60_000
/** Also notices that the clock was set. */
const lookEveryMs = 60 * minuteMs
/**
 * The pause after a failure, which doubles with each. Authorities refuse a name for an hour after five failures in one;
 * this makes at most four, however often the server starts.
 */
const pauseMs = 15 * minuteMs
const longestPauseMs = 12 * 60 * minuteMs
const placeholderDays = 90

/**
 * The certificate of a server from an authority that speaks ACME: the stored one, or one that nobody trusts until there is
 * one. `follow` gets a new one when a third of its time is left.
 * @throws UnusableFile when what is stored cannot be read
 */
export function createCertificates(settings: AcmeSettings, { clock, log, resolve }: Dependencies) {
  const { domains, directory, folder } = settings
  const answers = new Map<string, string>()
  const fetch = createFetch(resolve)
  let state: AcmeState = begunAgain(readState(folder)) ?? { accountKey: newKey(), certificate: null, attempt: null }

  return {
    tls: state.certificate ?? placeholder(),
    /** The answer to the challenge with this token, if one is under way. */
    answerTo: (token: string): string | undefined => answers.get(token),
    /** Hands each new certificate to `use`, and whether clients could trust the one before. Returns what ends this. */
    follow(use: Use): () => void {
      const stop = new AbortController()
      let timer: ReturnType<typeof setTimeout> | undefined
      const waitMs = () => nextAttemptAt(state, settings, clock()) - clock()
      const look = async () => {
        if (waitMs() <= 0) await attempt(use, stop.signal)
        if (stop.signal.aborted) return
        timer = setTimeout(() => void look(), Math.min(Math.max(waitMs(), minuteMs), lookEveryMs))
      }
      if (state.certificate === null && waitMs() > 0)
        log.warn("there is no certificate yet, so browsers warn", { nextAttemptAt: shown(clock() + waitMs()) })
      void look()
      return () => {
        stop.abort()
        clearTimeout(timer)
      }
    },
  }

  function placeholder(): CertificatePair {
    const key = newKey()
    return { cert: selfSigned(domains, key, clock(), placeholderDays), key }
  }

  async function attempt(use: Use, signal: AbortSignal) {
    const before = state
    const last = before.attempt !== null && asksFor(before.attempt, settings) ? before.attempt : null
    const failedBefore = last?.failure ? last.failedBefore + 1 : 0
    const begun = { at: clock(), domains, directory, failedBefore, failure: null }
    try {
      // Stored before anything is asked for: a certificate that could not be kept would be asked for at each start.
      await store({ ...state, attempt: begun })
      const certificate = await newCertificate(signal)
      const wasTrusted = before.certificate !== null && endOf(before.certificate.cert) > clock()
      // Used even if it cannot be kept, and kept even if it cannot be used before the next start.
      await store({ ...state, certificate, attempt: { ...begun, failedBefore: 0 } }).finally(() =>
        use(certificate, wasTrusted),
      )
      log.info("new connections get a new certificate", { domains, expires: shown(endOf(certificate.cert)) })
    } catch (error) {
      if (signal.aborted) return writeState(folder, before)
      const { problem, cure, retryAfterMs, isCounted } = asFailure(error, folder)
      const notBefore = retryAfterMs === null ? null : clock() + retryAfterMs
      state = { ...state, attempt: { ...begun, failure: { problem, cure, notBefore, isCounted } } }
      log.error(`no new certificate: ${problem}; ${cure}`, {
        nextAttemptAt: shown(nextAttemptAt(state, settings, clock())),
      })
      await writeState(folder, state).catch(() => {}) // then only a restart tries earlier
    }
  }

  async function store(next: AcmeState) {
    state = next
    await writeState(folder, state)
  }

  async function newCertificate(signal: AbortSignal): Promise<StoredCertificate> {
    const key = newKey()
    const publish = (token: string, answer: string) => {
      answers.set(token, answer)
      return () => answers.delete(token)
    }
    const request = certificateRequest(domains, key)
    const cert = await certify(
      { domains, request },
      { ...settings, accountKey: state.accountKey, publish, fetch, signal },
    )
    if (!isFor(domains, { cert, key }))
      throw new AcmeFailure("the authority made a certificate for another key or name", "use another authority")
    return { cert, key, domains, directory }
  }
}

/** Whoever starts the server again has perhaps mended something: only the shortest pause holds. */
function begunAgain(state: AcmeState | null): AcmeState | null {
  if (state === null || state.attempt === null) return state
  return { ...state, attempt: { ...state.attempt, failedBefore: 0 } }
}

/**
 * When to ask for a certificate, in milliseconds since the epoch: when a third of the time of the present one is left, or when
 * it is for other names; but not before the pause after the last attempt has passed.
 */
export function nextAttemptAt(
  { certificate, attempt }: AcmeState,
  { domains, directory }: Pick<AcmeSettings, "domains" | "directory">,
  now: number,
): number {
  const isWanted = certificate !== null && asksFor(certificate, { domains, directory })
  const due = isWanted ? renewalOf(certificate.cert) : 0
  // After a clock was set back, or other names were set, the last attempt says nothing.
  if (attempt === null || attempt.at > now || !asksFor(attempt, { domains, directory })) return due
  const { failedBefore, failure } = attempt
  const isCounted = failure === null || failure.isCounted
  const first = isCounted ? pauseOf(certificate) : minuteMs
  return Math.max(due, attempt.at + Math.min(first * 2 ** failedBefore, longestPauseMs), failure?.notBefore ?? 0)
}

/**
 * A certificate that is valid for less than three hours comes from a private authority, which has other limits. After a failure
 * there must be time for another attempt before it ends.
 */
function pauseOf(certificate: StoredCertificate | null): number {
  if (certificate === null) return pauseMs
  const { validFromDate, validToDate } = new X509Certificate(certificate.cert)
  return Math.min(Math.max((validToDate.getTime() - validFromDate.getTime()) / 12, minuteMs), pauseMs)
}

type Asked = Pick<AcmeSettings, "domains" | "directory">

const asksFor = (one: Asked, other: Asked): boolean =>
  one.directory === other.directory && one.domains.toSorted().join() === other.domains.toSorted().join()

/** When a third of the validity of a certificate (PEM) is left. */
export function renewalOf(cert: string): number {
  const { validFromDate, validToDate } = new X509Certificate(cert)
  return validToDate.getTime() - (validToDate.getTime() - validFromDate.getTime()) / 3
}

function isFor(domains: readonly string[], { cert, key }: CertificatePair): boolean {
  try {
    const certificate = new X509Certificate(cert)
    return certificate.checkPrivateKey(createPrivateKey(key)) && domains.every((name) => certificate.checkHost(name))
  } catch {
    return false
  }
}

const endOf = (cert: string): number => new X509Certificate(cert).validToDate.getTime()

const shown = (ms: number): string => new Date(ms).toISOString()

function asFailure(error: unknown, folder: string): AcmeFailure {
  if (error instanceof AcmeFailure) return error
  if (systemCodeOf(error) !== "")
    return new AcmeFailure(`server.state_dir: ${writeProblemOf(error, folder)}`, "without it, nothing is asked for", {
      isCounted: false,
      cause: error,
    })
  return new AcmeFailure(error instanceof Error ? error.message : String(error), "the server tries again by itself")
}

const newKey = (): string =>
  generateKeyPairSync("ec", {
    namedCurve: "P-256",
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  }).privateKey
