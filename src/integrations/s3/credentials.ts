import { OffSiteFailure } from "./failure.ts"

export interface Credentials {
  readonly accessKey: string
  readonly secretKey: string
  /** Of keys that last for some hours; null for keys that stay. */
  readonly sessionToken: string | null
}

/** The command gives no keys. It is not run again at once: it may have hung. */
export class NoKeys extends OffSiteFailure {}

/** The keys themselves, or a command that prints them. */
export type CredentialSource = Credentials | { readonly command: string }

/** How long before their end keys are asked for again, so that none ends during an upload of a few parts. */
const marginMs = 5 * 60_000
/** How long keys without an end are used before the command is asked again. */
const unlimitedMs = 15 * 60_000
const usualPatienceMs = 30_000
const mostBytes = 65_536

const setting = "backup.s3_credentials_command"
const expected =
  'run it by hand as the user of the server: it must print JSON as AWS tools do, {"Version": 1, "AccessKeyId", "SecretAccessKey", ' +
  '"SessionToken", "Expiration"}, and nothing else'

/** Gives the keys. Those of a command are kept until shortly before their end. Each call throws `OffSiteFailure`. */
export function createCredentials(
  source: CredentialSource,
  now: () => number = Date.now,
  patienceMs = usualPatienceMs,
): () => Promise<Credentials> {
  if (!("command" in source)) return async () => source
  let known: { readonly credentials: Credentials; readonly until: number } | null = null
  return async () => {
    if (known === null || known.until <= now()) known = read(await outputOf(source.command, patienceMs), now())
    return known.credentials
  }
}

function read(output: string, now: number) {
  const { AccessKeyId, SecretAccessKey, SessionToken = null, Expiration = null } = parsed(output)
  if (!isText(AccessKeyId) || !isText(SecretAccessKey) || !(SessionToken === null || isText(SessionToken)))
    throw new NoKeys(`${setting} printed no keys`, expected)
  const end = Expiration === null ? now + unlimitedMs + marginMs : Date.parse(String(Expiration))
  if (!(end > now))
    throw new NoKeys(
      `${setting} printed keys that have ended`,
      "check the clock of this machine, and what backup.s3_credentials_command prints",
    )
  const credentials = { accessKey: AccessKeyId, secretKey: SecretAccessKey, sessionToken: SessionToken }
  return { credentials, until: end - marginMs }
}

const isText = (value: unknown): value is string => typeof value === "string" && value !== ""

function parsed(output: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(output))
  } catch {
    throw new NoKeys(`${setting} printed no JSON`, expected) // what it printed may be a secret
  }
}

/**
 * Ends with all that the command started: what goes on holds the pipes open, so that their end would never come. On Windows only
 * the command itself is ended.
 */
async function outputOf(command: string, patienceMs: number): Promise<string> {
  const isWindows = process.platform === "win32"
  const shell = isWindows ? ["cmd", "/c", command] : ["sh", "-c", command]
  const child = Bun.spawn(shell, {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    maxBuffer: mostBytes,
    killSignal: "SIGKILL",
    detached: !isWindows, // a group of its own
  })
  const { promise: tooLate, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(failed(`no answer in ${patienceMs / 1000} s`)), patienceMs)
  const end = () => endGroup(isWindows ? child.pid : -child.pid)
  const all = Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited.finally(end),
  ])
  try {
    const [output, said, status] = await Promise.race([all, tooLate])
    if (status === 0) return output
    throw failed(`status ${status}`, said.trim().split("\n").at(-1))
  } finally {
    clearTimeout(timer)
    end()
  }
}

function endGroup(pid: number) {
  try {
    process.kill(pid, "SIGKILL")
  } catch {
    // All have ended.
  }
}

const failed = (reason: string, words = "") =>
  new NoKeys(`${setting} failed: ${reason}${words === "" ? "" : `: ${words.slice(0, 300)}`}`, expected)
