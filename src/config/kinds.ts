import { type Duty, dutyNames } from "../domain/people/model.ts"
import { maxTagLength } from "../domain/programme/programme-fields.ts"
import { hasTooManyMarks, normalized } from "../domain/text.ts"
import { isLoopback, net } from "../net/addresses.ts"
import { databaseUrlForm, parseDatabaseUrl, readDatabaseUrl } from "./database-url.ts"

/** The kind of a setting's values: how they are parsed and checked. */
export interface Kind<T> {
  /** What is accepted, worded to follow a colon. It never quotes a given value. */
  readonly expected: string
  /** The same for a value that is not valid, if more can be said. It does not quote the value either. */
  readonly expectedFor?: (value: unknown) => string
  /** Parses text from the environment or a flag; undefined when it cannot be parsed. */
  readonly fromText: (text: string) => unknown
  /** The value as the program uses it; undefined when it is not valid. */
  readonly check: (value: unknown, underTest: boolean) => T | undefined
}

/** 1 to `max` characters, without control characters. */
export const text = (expected: string, max = 4096): Kind<string> =>
  textual(expected, (given) => (characters(given) <= max && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(given) ? given : undefined))

/** Text that is taken byte for byte, of at most `maxBytes` in UTF-8. */
export const secretText = (expected: string, maxBytes = Number.POSITIVE_INFINITY): Kind<string> =>
  textual(expected, (given) => (Buffer.byteLength(given) <= maxBytes ? given : undefined))

/** A secret that people remember or keep on paper. Whoever has the encrypted data can try many. */
export const passphrase: Kind<string> = textual("12 to 1024 characters", (given) =>
  characters(given) >= 12 && characters(given) <= 1024 ? given : undefined,
)

/** A name of a bucket that every S3 service accepts. */
export const bucketName: Kind<string> = textual("3 to 63 lower-case letters, digits, dots and hyphens", (given) =>
  /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(given) ? given : undefined,
)

/** It is a part of the name of Amazon's service. */
export const regionName: Kind<string> = textual("1 to 63 letters, digits, hyphens and underscores", (given) =>
  /^[A-Za-z0-9_-]{1,63}$/.test(given) ? given : undefined,
)

/** A folder in a bucket. In the URL of an object, "." and ".." would lead out of it, and even to another bucket. */
export const objectPrefix: Kind<string> = textual(
  '1 to 200 letters, digits and - _ . /, such as "rewards/", with no folder "." or ".."',
  (given) =>
    /^[A-Za-z0-9_.-][A-Za-z0-9_./-]{0,199}$/.test(given) && !/(^|\/)\.\.?(\/|$)/.test(given) ? given : undefined,
)

/** A secret that is safe in a URL and a cookie without escaping, and too long to guess. */
export const addressKey: Kind<string> = textual("24 to 200 letters, digits, - and _", (given) =>
  /^[A-Za-z0-9_-]{24,200}$/.test(given) ? given : undefined,
)

export const host: Kind<string> = textual("a host name or an IP address, without port", (given) =>
  /^[\p{L}\p{N}._-]{1,253}$/u.test(given) || net().isIPv6(given) ? given : undefined,
)

/** An address such as "127.0.0.1:9464" or "[::1]:9464". */
export const hostAndPort: Kind<string> = textual(
  'a host name or an IP address with a port, such as "127.0.0.1:9464" or "[::1]:9464"',
  (given) => {
    const { host: name, port } = splitAddress(given)
    const isHost = given.startsWith("[") ? net().isIPv6(name) : /^[\p{L}\p{N}._-]{1,253}$/u.test(name)
    return isHost && port >= 0 && port <= 65_535 ? given : undefined
  },
)

/** Splits a value of `hostAndPort`. */
export function splitAddress(given: string): { readonly host: string; readonly port: number } {
  const [, inBrackets, plain = "", port = "-1"] = /^(?:\[(.+)\]|([^:[\]]+)):(\d{1,5})$/.exec(given) ?? []
  return { host: inBrackets ?? plain, port: Number(port) }
}

/** The result is spelt as in the time zone database. */
export const timeZone: Kind<string> = textual(
  'a name of the IANA time zone database, such as "Europe/Lisbon", "America/Sao_Paulo" or "UTC"',
  (given) => {
    if (given === "UTC") return given // so that a start need not load time zones
    if (!/^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+)*$/.test(given)) return undefined
    try {
      return new Intl.DateTimeFormat("en", { timeZone: given }).resolvedOptions().timeZone
    } catch {
      return undefined
    }
  },
)

export const databaseUrl: Kind<string> = {
  ...textual(databaseUrlForm, (given) => (parseDatabaseUrl(given) === undefined ? undefined : given)),
  expectedFor(value) {
    const url = typeof value === "string" ? readDatabaseUrl(value) : null
    return url !== null && "expected" in url ? url.expected : databaseUrlForm
  },
}

export const emailAddress: Kind<string> = textual("one plain e-mail address, without a name around it", (given) =>
  given.length <= 254 && /^[^\s\p{Cc}@<>,;"]+@[^\s\p{Cc}@<>,;"]+$/u.test(given) ? given : undefined,
)

/** Of either alphabet. */
export const base64: Kind<string> = textual("a key in base64", (given) =>
  /^[A-Za-z0-9_+/-]{4,2000}={0,2}$/.test(given) ? given : undefined,
)

/** The result is in the spelling of DNS: lower case, other letters in Punycode. */
export const domainNames: Kind<readonly string[]> = listOf(
  'a list of host names, each once, such as "rewards.example.com"; no addresses and no "*"',
  (given) => {
    const name = /^[\p{L}\p{N}.-]{1,253}$/u.test(given) ? URL.parse(`http://${given}`)?.hostname : undefined
    return name !== undefined && /^[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})*$/.test(name) && net().isIP(name) === 0
      ? name
      : undefined
  },
  { isSet: true },
)

/** The address of this service. The result is an origin: paths are appended to it, and browsers compare it. */
export const serviceUrl: Kind<string> = textual(
  "an http or https URL of a host, such as https://rewards.example.com, without user name and query, and no path behind it: the " +
    "pages, cookies and links of this service begin at the root of its host, so give it a host name or a port of its own",
  (given) => {
    const url = plainUrl(given)
    return url === undefined || /[^/]/.test(url.pathname) ? undefined : url.origin
  },
)

/** The result has no trailing slash, because paths are appended to it. */
export const baseUrl: Kind<string> = textual(
  "an http or https URL without user name, query and fragment, such as https://rewards.example.com",
  (given) => {
    const url = plainUrl(given)
    return url === undefined ? undefined : url.origin + url.pathname.replace(/\/+$/, "")
  },
)

/** The result is unchanged, because the provider's tokens contain exactly this text. */
export const issuer: Kind<string> = textual(
  "an https URL without user name, query and fragment, exactly as the provider states it; http only on this machine",
  (given) => {
    const url = plainUrl(given)
    return url !== undefined && (url.protocol === "https:" || isLoopback(url.hostname)) ? given : undefined
  },
)

/** OAuth's scope tokens, separated by single spaces. */
export const scopes: Kind<string> = textual('words separated by spaces, "openid" among them', (given) =>
  given.length <= 1000 && given.split(" ").every(isScope) && given.split(" ").includes("openid") ? given : undefined,
)

const isScope = (word: string): boolean => /^[\x21\x23-\x5B\x5D-\x7E]+$/.test(word)

/** The result is unchanged. A query is not allowed, because the token is appended as one. */
export const resetUrl: Kind<string> = textual(
  "an http or https URL without user name, query and fragment; it may begin with {base_url}",
  (given) => {
    const filled = given.replace(/^\{base_url\}(?=\/|$)/, "http://localhost")
    return /[{}]/.test(filled) || plainUrl(filled) === undefined ? undefined : given
  },
)

export const choice = <const T extends string>(...values: readonly T[]): Kind<T> => ({
  expected: values.length === 1 ? `"${values[0]}", the only value` : values.map((value) => `"${value}"`).join(" or "),
  fromText: asIs,
  check: (value) => values.find((one) => one === value),
})

export const boolean: Kind<boolean> = {
  expected: "true or false",
  fromText: (given) => (given === "true" ? true : given === "false" ? false : undefined),
  check: (value) => (typeof value === "boolean" ? value : undefined),
}

/** `only.underTest` is a value outside the range that only a test run may use. */
export const integer = (min: number, max: number, only?: { readonly underTest: number }): Kind<number> => ({
  expected: `a whole number from ${min} to ${max}`,
  fromText: wholeNumber,
  check: (value, underTest) =>
    Number.isInteger(value) && (within(min, value, max) || (underTest && value === only?.underTest))
      ? Number(value)
      : undefined,
})

/** A number that may have a fraction. */
export const number = (min: number, max: number): Kind<number> => ({
  expected: `a number from ${min} to ${max}`,
  fromText: (given) => (/^-?\d+(\.\d+)?$/.test(given) ? Number(given) : undefined),
  check: (value) => (within(min, value, max) ? Number(value) : undefined),
})

export const addressRanges = listOf('a list of IP addresses and ranges, such as "10.0.0.0/8"', (given) => {
  const [address = "", prefix, ...rest] = given.split("/")
  const bits = net().isIPv6(address) ? 128 : 32
  const fits = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits)
  return net().isIP(address) > 0 && !address.includes("%") && fits && rest.length === 0 ? given : undefined
})

export const portList: Kind<readonly number[]> = {
  expected: "a list of ports, such as [8443]",
  fromText: (given) => (given.trim() === "" ? [] : given.split(",").map((port) => wholeNumber(port.trim()))),
  check: (value) =>
    Array.isArray(value) && value.every((port) => Number.isInteger(port) && within(1, port, 65_535))
      ? value
      : undefined,
}

/** The result is written as browsers write the header `Origin`. */
export const origins = listOf(
  'a list of exact origins, such as "https://rewards.example.com", without a path or a trailing slash; ' +
    'never "*", since requests carry credentials',
  (given) => (/^https?:\/\/[^/*,]+$/i.test(given) ? plainUrl(given)?.origin : undefined),
)

/** The result is in NFC. */
export const words = listOf(
  `a list of words of 1 to ${maxTagLength} characters, without spaces and commas in them and ` +
    "with at most 8 accents on one letter, each once",
  (given) =>
    characters(given) <= maxTagLength && /^[^\s,\p{C}]+$/u.test(given) && !hasTooManyMarks(given)
      ? normalized(given, "NFC", maxTagLength)
      : undefined,
  { isSet: true },
)

/** Groups at a provider, each with a duty that it gives. */
export const dutyGroups = listOf(
  `a list of groups, each with a duty (${dutyNames.join(", ")}) behind an equals sign, such as "HR=people"`,
  (given) =>
    dutyNames.some((duty) => given.length > duty.length + 1 && given.endsWith(`=${duty}`)) ? given : undefined,
)

/** The group of one of `dutyGroups`, and its duty. */
export function dutyOfGroup(given: string): { readonly group: string; readonly duty: Duty } {
  const at = given.lastIndexOf("=")
  return { group: given.slice(0, at), duty: given.slice(at + 1) as Duty }
}

/** Tokens that another system made. */
export const secretList = listOf(
  "a list of one or more texts without spaces and commas in them",
  (given) => (/^[^\s,\p{C}]+$/u.test(given) ? given : undefined),
  { least: 1 },
)

/** Sources for a Content-Security-Policy. */
export const avatarHosts = listOf(
  'a list of host names, such as "pictures.example.com" or "*.example.com"; "*" for all, empty for none',
  (given) => (/^(\*|(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*(:\d{1,5})?)$/i.test(given) ? given.toLowerCase() : undefined),
)

function textual(expected: string, accept: (given: string) => string | undefined): Kind<string> {
  const check = (value: unknown) => (typeof value === "string" && value !== "" ? accept(value) : undefined)
  return { expected, fromText: asIs, check }
}

function listOf(
  expected: string,
  accept: (item: string) => string | undefined,
  { isSet = false, least = 0 } = {},
): Kind<readonly string[]> {
  const check = (value: unknown) => {
    if (!Array.isArray(value) || value.length < least) return undefined
    const items = value.map((item) => (typeof item === "string" ? accept(item) : undefined))
    if (isSet && new Set(items).size < items.length) return undefined
    return items.every((item) => item !== undefined) ? items : undefined
  }
  return {
    expected,
    fromText: (given) => (given.trim() === "" ? [] : given.split(",").map((item) => item.trim())),
    check,
  }
}

/** Accepts only a URL that is valid as written, because the URL parser repairs many mistakes silently. */
function plainUrl(given: string): URL | undefined {
  const plain = /^https?:\/\/[^\s\p{Cc}\\/?#@]+(\/[^\s\p{Cc}\\?#]*)?$/iu.test(given)
  const url = plain ? URL.parse(given) : null
  return url !== null && isHost(url.hostname) ? url : undefined
}

/** The URL parser also takes "*" and a name with an empty part. A dot may end a whole name. */
const isHost = (name: string): boolean => /^(\[.+\]|[^.*]+(\.[^.*]+)*\.?)$/.test(name)

/** Only decimal digits, because `Number` also takes 0x10, 1e3 and an empty text. */
function wholeNumber(given: string): number | undefined {
  return /^-?\d+$/.test(given) ? Number(given) : undefined
}

function asIs(given: string): string {
  return given
}

function characters(given: string): number {
  return [...given].length
}

function within(min: number, value: unknown, max: number): boolean {
  return typeof value === "number" && value >= min && value <= max
}
