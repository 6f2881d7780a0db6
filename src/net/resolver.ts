import type { LookupAddress } from "node:dns"
import { readFileSync, statSync } from "node:fs"
import { net } from "./addresses.ts"

/** How long looking a name up may take in all. */
export const lookUpMs = 2000
/** When the next name server is asked. Each further round waits twice as long. */
const firstTryMs = 500
/** How long the addresses of one family wait for those of the other: long enough for a second try. */
const otherFamilyMs = 750

type Address = Pick<LookupAddress, "address" | "family">

/**
 * Finds all addresses of a host name.
 * @throws an error with the code ENOTFOUND when there are none, or EAI_AGAIN when no name server answers
 */
export type Resolve = (name: string) => Promise<readonly Address[]>

interface ResolverOptions {
  readonly hostsFile?: string
  /** Names the domains in which a short name is looked for. */
  readonly configuration?: string
  /** Name servers, as `127.0.0.1:53`, instead of those of the system. */
  readonly servers?: readonly string[]
  readonly limitMs?: number
}

/**
 * Looks names up without a thread. The system's own way, which `dns.lookup`, `fetch` and every connection to a name take, waits on
 * the thread pool: a name server that is silent for a few names then stops all syncs of the disk and all hashing of passwords.
 * As the system does, it looks into the file of hosts first, and tries the domains of resolv.conf with a name that has few dots.
 */
export function createResolver(options: ResolverOptions = {}): Resolve {
  const { hostsFile = "/etc/hosts", configuration = "/etc/resolv.conf", servers, limitMs = lookUpMs } = options
  const hosts = createCachedFile(hostsFile, namesIn)
  const search = createCachedFile(configuration, searchIn)

  return async (given) => {
    const name = given.toLowerCase().replace(/\.$/, "")
    if (name === "") throw failure("ENOTFOUND", given)
    const own = hosts()?.get(name) ?? []
    if (own.length > 0) return own
    if (name === "localhost" || name.endsWith(".localhost")) return loopback
    return fromServers(name, given.endsWith("."))
  }

  async function fromServers(name: string, isWhole: boolean): Promise<readonly Address[]> {
    const { domains, dots } = search() ?? { domains: [], dots: 1 }
    const inDomains = isWhole ? [] : domains.map((domain) => `${name}.${domain}`)
    const candidates = name.split(".").length > dots ? [name, ...inDomains] : [...inDomains, name]
    // A new one for each name, so that it follows changes of resolv.conf, and `cancel` ends nobody else's question.
    const { Resolver } = process.getBuiltinModule("node:dns").promises
    const resolver = new Resolver({ timeout: firstTryMs })
    if (servers) resolver.setServers(servers)
    let isOver = false
    const limit = setTimeout(() => {
      isOver = true
      resolver.cancel()
    }, limitMs)
    try {
      let isUnknown = true
      for (const candidate of candidates) {
        const [four, six] = await inTime(resolver.resolve4(candidate), resolver.resolve6(candidate))
        const found = [...addressesIn(four, 4), ...addressesIn(six, 6)]
        if (found.length > 0) return found
        isUnknown &&= [four, six].every(saysNone)
        if (isOver) break
      }
      throw isUnknown ? failure("ENOTFOUND", name) : failure("EAI_AGAIN", name)
    } finally {
      clearTimeout(limit)
      resolver.cancel()
    }
  }
}

/** Both answers. A name server may never send one of them, so whatever comes long after addresses counts as missing. */
async function inTime(...answers: readonly [Promise<string[]>, Promise<string[]>]) {
  const { promise: late, reject } = Promise.withResolvers<never>()
  let timer: Timer | undefined
  const orLate = async (answer: Promise<string[]>) => {
    const found = await Promise.race([answer, late])
    if (found.length > 0) timer ??= setTimeout(() => reject(new Error("no answer")), otherFamilyMs)
    return found
  }
  const [four, six] = answers
  return Promise.allSettled([orLate(four), orLate(six)]).finally(() => clearTimeout(timer))
}

/** That of this machine. */
export const resolveName = createResolver()

const loopback: readonly Address[] = [
  { address: "127.0.0.1", family: 4 },
  { address: "::1", family: 6 },
]

const addressesIn = (answer: PromiseSettledResult<readonly string[]>, family: number): readonly Address[] =>
  answer.status === "fulfilled" ? answer.value.map((address) => ({ address, family })) : []

/** Whether an answer says that there are no addresses, and is not merely missing. */
const saysNone = (answer: PromiseSettledResult<unknown>): boolean =>
  answer.status === "fulfilled" || ["ENOTFOUND", "ENODATA", "EBADNAME"].includes(String(Object(answer.reason).code))

const failure = (code: string, hostname: string): Error =>
  Object.assign(new Error(`${code} ${hostname}`), { code, syscall: "getaddrinfo", hostname })

/** What a file says, read again when it has changed; null when it cannot be read, as where there is none. */
function createCachedFile<T>(path: string, parse: (text: string) => T): () => T | null {
  let version = ""
  let content: T | null = null
  return () => {
    try {
      const { mtimeMs, size, ino } = statSync(path)
      const found = `${mtimeMs} ${size} ${ino}`
      if (found !== version) content = parse(readFileSync(path, "utf8"))
      version = found
      return content
    } catch {
      return null
    }
  }
}

/** The fields of each line, without comments. */
const linesIn = (text: string): string[][] =>
  text.split("\n").map((line) =>
    line
      .replace(/[#;].*/, "")
      .trim()
      .split(/\s+/),
  )

function namesIn(text: string): ReadonlyMap<string, readonly Address[]> {
  const names = new Map<string, Address[]>()
  for (const [address = "", ...given] of linesIn(text)) {
    const family = net().isIP(address)
    if (family === 0 || address.includes("%")) continue // a URL cannot hold the zone of an address
    for (const name of given.map((one) => one.toLowerCase()))
      names.set(name, [...(names.get(name) ?? []), { address, family }])
  }
  return names
}

/** The domains to search, and how many dots a name needs to be tried as it is first. Of several lines the last counts. */
function searchIn(text: string) {
  const lines = linesIn(text)
  const [, ...domains] = lines.findLast(([word = ""]) => ["search", "domain"].includes(word)) ?? []
  const options = lines.filter(([word]) => word === "options").flat()
  const dots = options.findLast((option) => /^ndots:\d+$/.test(option))?.slice("ndots:".length)
  return {
    domains: domains.map((domain) => domain.replace(/\.$/, "")).filter((domain) => domain !== ""),
    dots: Number(dots ?? 1),
  }
}
