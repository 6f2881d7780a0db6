import fc from "fast-check"
import { bytes, type Case } from "./case.ts"

/** Credentials that a request may carry. */
export interface Identity {
  readonly bearer: string
  readonly session: string
}

/** Valid requests, one for each endpoint, to be mutated. */
export function validRequests({ bearer, session }: Identity): readonly string[] {
  const authorization = `Authorization: Bearer ${bearer}\r\n`
  const cookie = `Cookie: theme=dark; session_id=${session}\r\n`
  const json = (method: string, path: string, headers: string, body: string) =>
    request(method, path, `${headers}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`, body)
  const form = (path: string, body: string) =>
    request("POST", path, `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n`, body)
  return [
    form("/token", "username=ana"),
    form("/login", "password=%61"),
    json("POST", "/refresh_token", "", '{"refresh_token":"a.b.c"}'),
    request("POST", "/logout", "Content-Length: 0\r\n"),
    request("GET", "/user/?show_balance=true", authorization),
    request("GET", "/user/ana/?show_balance=1&fresh=true", cookie),
    json("POST", "/user/", cookie, '{"name":"Davi","email":"davi@example.com","dept":"sales","password":"x"}'),
    json("PATCH", "/user/ana/", authorization, '{"avatar":"https://example.com/a.png","bio":"\\u00e9"}'),
    json("POST", "/user/ana/password/?pwd_reset_token=a.b.c", "", '{"password":"x","password_confirm":"y"}'),
    json("POST", "/user/pwd_reset_token/", "", '{"email":"nobody@example.com"}'),
    json("POST", "/transaction/ana/", authorization, '{"value":1}'),
    request("GET", "/transaction/?user=ana&from_user=admin&order_by=-date&page=1&size=10", authorization),
    request("GET", "/transaction/ana/", cookie),
    request("GET", "/transaction/ws?after=1", upgrade),
    request("GET", "/openapi.json", "Accept-Encoding: gzip\r\n"),
    request("OPTIONS", "/user/", "Origin: https://example.com\r\nAccess-Control-Request-Method: PATCH\r\n"),
  ]
}

const upgrade =
  "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"

export const request = (method: string, path: string, headers: string, body = ""): string =>
  `${method} ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n${body}`

/** Characters that parsers often get wrong. */
const crumbs = [
  ..."\r \n \0 \t \x7f \x1f : ; , % ? # & = \" ' { } [ ] \\ / . ../ // %00 %2f %zz %ff %c0%ae %ed%a0%80 %u0041 + \xff \xc3( \xf0\x9f\x98\x80".split(
    " ",
  ),
  ..." |\r\n|\r\n\r\n|\n\n|Host: b\r\n|Content-Length: 5\r\n|Content-Length: -1\r\n|Transfer-Encoding: chunked\r\n|0\r\n\r\n".split(
    "|",
  ),
  ..."HTTP/1.0|HTTP/2.0|Expect: 100-continue\r\n|Connection: close\r\n|Cookie: session_id=\r\n|Upgrade: h2c\r\n|null|NaN|1e999".split(
    "|",
  ),
  "a".repeat(300),
  "a".repeat(20_000),
  "[".repeat(3000),
  "X: y\r\n".repeat(300),
].map(bytes)

const crumb = fc.oneof(
  { arbitrary: fc.constantFrom(...crumbs), weight: 9 },
  fc.uint8Array({ maxLength: 8 }).map(Buffer.from),
)

/** One change at a place between the beginning (0) and the end (1). */
const change = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  drops: fc.constantFrom(0, 0, 0, 1, 2, 10, 60),
  puts: fc.option(crumb, { nil: Buffer.alloc(0), freq: 5 }),
})

/** Valid requests with one to four changes anywhere. */
export const mutated = (valid: readonly string[]): fc.Arbitrary<Case> =>
  fc
    .record({ text: fc.constantFrom(...valid), changes: fc.array(change, { minLength: 1, maxLength: 4 }) })
    .map(({ text, changes }) => ({
      kind: "mutated",
      pieces: [changes.reduce(changed, bytes(text))],
      isWhole: false,
    }))

function changed(before: Buffer, { at, drops, puts }: { at: number; drops: number; puts: Buffer }): Buffer {
  const place = Math.floor(at * before.length)
  return Buffer.concat([before.subarray(0, place), puts, before.subarray(place + drops)])
}

/** Valid requests sent slowly, in small pieces. */
export const slow = (valid: readonly string[]): fc.Arbitrary<Case> =>
  fc.record({ text: fc.constantFrom(...valid), size: fc.integer({ min: 1, max: 60 }) }).map(({ text, size }) => ({
    kind: "slow",
    pieces: Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
      bytes(text.slice(index * size, (index + 1) * size)),
    ),
    isWhole: true,
  }))

/** Paths, parameters, fields and cookies in encodings of every kind. */
export const encoded = ({ bearer }: Identity): fc.Arbitrary<Case> =>
  fc
    .record({
      place: fc.constantFrom("path", "query", "form", "cookie"),
      crumbs: fc.array(fc.constantFrom(...encodings), { minLength: 1, maxLength: 6 }),
    })
    .map(({ place, crumbs }) => ({
      kind: "encoded",
      pieces: [bytes(carrying(place, crumbs.join(""), bearer))],
      isWhole: true,
    }))

const encodings =
  "% %% %0 %00 %0a %0d%0a %20 %2e%2e %2f %5c %25 %252f %80 %c0%ae %c3 %c3%a9 %ed%a0%80 %f0%9f%98%80 %f4%90%80%80 %fe%ff %u00e9 %zz + ; & = ? # .. // \\ é \xff <script> ' \" | ^ ` {} ~ a".split(
    " ",
  )

function carrying(place: string, text: string, bearer: string): string {
  const authorization = `Authorization: Bearer ${bearer}\r\n`
  if (place === "path") return request("GET", `/user/${text}/`, authorization)
  if (place === "query") return request("GET", `/transaction/?user=${text}&${text}=1&order_by=${text}`, authorization)
  if (place === "cookie") return request("GET", "/transaction/", `Cookie: ${text}; session_id=${text}; a=${text}\r\n`)
  const headers = `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${text.length * 2 + 1}\r\n`
  return request("POST", "/token", headers, `${text}=${text}`)
}
