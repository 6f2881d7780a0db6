/** Why there is no new certificate. */
export class AcmeFailure extends Error {
  override readonly name = "AcmeFailure"
  readonly problem: string
  readonly cure: string
  /** How long the authority asks to wait; null when it does not say. */
  readonly retryAfterMs: number | null
  /** Whether the authority may have counted the attempt. */
  readonly isCounted: boolean

  constructor(problem: string, cure: string, { retryAfterMs = null, isCounted = true, ...options }: Options = {}) {
    super(`${problem}; ${cure}`, options)
    this.problem = problem
    this.cure = cure
    this.retryAfterMs = retryAfterMs
    this.isCounted = isCounted
  }
}

interface Options extends ErrorOptions {
  readonly retryAfterMs?: number | null
  readonly isCounted?: boolean
}

/** What an authority says about a failure (RFC 8555, section 6.7). */
export interface Problem {
  /** Without `urn:ietf:params:acme:error:`. */
  readonly type: string
  readonly detail: string
  /** The name that it is about, if any. */
  readonly domain: string | null
  readonly retryAfterMs: number | null
}

/** The failure in words of an operator, for the types that one can do something about. */
export function failureOf({ type, detail, domain, retryAfterMs }: Problem, options?: ErrorOptions): AcmeFailure {
  const [problem, cure] = explanations[type] ?? [
    `the authority refused (${type})`,
    "look up this error in the documentation of the authority of server.acme_directory",
  ]
  const about = domain === null ? problem : `${domain}: ${problem}`
  return new AcmeFailure(detail === "" ? about : `${about} (${detail})`, cure, { ...options, retryAfterMs })
}

const elsewhere = [
  "another server answers on port 80 at its address",
  "let the DNS records of the name, AAAA too, lead to this machine, and port 80 to server.http_port",
] as const

const explanations: Readonly<Record<string, readonly [problem: string, cure: string]>> = {
  connection: [
    "the authority cannot connect to port 80",
    "open port 80 in every firewall before this machine, and let it lead to server.http_port",
  ],
  dns: ["the authority finds no address for the name in DNS", "make an A or AAAA record that leads to this machine"],
  unauthorized: elsewhere,
  incorrectResponse: elsewhere,
  caa: ["a CAA record in DNS forbids this authority", "add the authority to the CAA record, or remove it"],
  rateLimited: [
    "the authority gives no more certificates for now (rate limit)",
    "wait, the server tries again by itself; keep the folder server.state_dir, so that certificates are not asked for again",
  ],
  rejectedIdentifier: ["the authority gives no certificate for this name", "correct server.acme_domains"],
  externalAccountRequired: [
    "the authority gives certificates only to its customers",
    "set server.acme_eab_kid and server.acme_eab_key to what it shows in your account",
  ],
  invalidContact: ["the authority does not take this address", "correct server.acme_email"],
  unsupportedContact: ["the authority does not take this address", "correct server.acme_email"],
  userActionRequired: ["the authority wants you to agree to something first", "open the address that it names"],
  serverInternal: ["the authority has a fault of its own", "wait, the server tries again by itself"],
}
