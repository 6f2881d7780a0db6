import { expect, test } from "bun:test"
import type { Claims } from "../../src/domain/auth/tokens.ts"
import { createTokenCodec } from "../../src/security/jwt.ts"

const minute = 60_000

function codecAt(start: number) {
  let now = start
  return {
    ...createTokenCodec("a secret", () => now),
    advance: (ms: number) => {
      now += ms
    },
  }
}

const claims: Claims = { sub: "ana", exp: 60 * 60, scope: "access_token", jti: "1" }

test("verified claims are cached until the token expires", async () => {
  const codec = codecAt(59 * minute)
  const token = await codec.sign(claims)

  const first = await codec.read(token)
  expect(first).toEqual({ ...claims })
  expect(await codec.read(token)).toEqual(first)
  codec.advance(minute - 1)
  expect(await codec.read(token)).toEqual(first)
  codec.advance(1)
  expect(await codec.read(token)).toBeNull()
})

test("claims are not taken from the cache for another signature", async () => {
  const codec = codecAt(0)
  const token = await codec.sign(claims)
  await codec.read(token)

  expect(await codec.read(`${token.slice(0, -4)}AAAA`)).toBeNull()
})

test("a token is accepted only with the canonical text of its signature", async () => {
  const codec = codecAt(0)
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
  // Enough tokens that some have characters in which base64 and base64url differ.
  for (let count = 0; count < 20; count += 1) {
    const token = await codec.sign({ ...claims, jti: `n${count}` })
    const bare = token.slice(0, -1)
    const others = [...alphabet].map((last) => bare + last).filter((other) => other !== token)
    const signatureAt = token.lastIndexOf(".")
    const inBase64 = token.slice(0, signatureAt) + token.slice(signatureAt).replaceAll("-", "+").replaceAll("_", "/")
    const spellings = [...others, `${token}=`, `${token}==`, `${token}\n`, `${token} `, `${bare} ${token.at(-1)}`]
    if (inBase64 !== token) spellings.push(inBase64)

    for (const spelling of spellings) expect([spelling, await codec.read(spelling)]).toEqual([spelling, null])
    expect(await codec.read(token)).toEqual({ ...claims, jti: `n${count}` })
  }
})

test("beyond ten thousand cached tokens, the oldest is verified again", async () => {
  const codec = codecAt(0)
  const oldest = await codec.sign(claims)
  const first = await codec.read(oldest)
  expect(await codec.read(oldest)).toBe(await codec.read(oldest))

  for (let count = 0; count < 10_000; count += 1) await codec.read(await codec.sign({ ...claims, jti: `n${count}` }))

  expect(await codec.read(oldest)).toEqual(first)
  expect(await codec.read(oldest)).not.toBe(first)
})
