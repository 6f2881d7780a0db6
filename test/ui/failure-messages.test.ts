import { expect, test } from "bun:test"
import type { Language } from "../../src/domain/languages.ts"
import { details } from "../../src/http/errors.ts"
import { details as de } from "../../src/languages/de/refusals.ts"
import { details as es } from "../../src/languages/es/refusals.ts"
import { details as fr } from "../../src/languages/fr/refusals.ts"
import { details as portuguese } from "../../src/languages/pt/refusals.ts"
import { type Details, type Refused, translatedRefusal } from "../../src/languages/refusals.ts"
import type { Client, Sent } from "../support/client.ts"
import { pictures, pngOf } from "../support/pictures.ts"
import { startTestServer } from "../support/server.ts"

/** In English the server's own words are shown, save a few. */
const translated: Readonly<Record<Exclude<Language, "en">, Details>> = { de, es, fr, pt: portuguese }

test("every error message that the forms of the app can get has a text in every language but English", async () => {
  await using server = await startTestServer()
  const admin = await server.admin()
  const [ana] = [await server.person("Ana"), await server.person("Bruno")]
  await admin.post("/transaction/ana/", { value: 100 })
  const { body: given } = await ana.post<{ id: number }>("/api/v1/transactions", { to: "bruno", value: 5, reason: "x" })
  const { body: reward } = await admin.post<{ id: number }>("/api/v1/rewards", { name: "A tree", cost: 5 })
  const long = "x".repeat(5000)
  const [cost, month, token] = [
    { name: "A", cost: 5 },
    { name: "B", value: 5, mode: "add", period: "month", audience: { everyone: true } },
    { name: "T", username: "ana", scopes: ["read"], expires_at: null },
  ]
  const zed = { name: "Zed", email: "zed@example.com", password: "zed comes in", dept: "sales" }
  const posts: [string, object, readonly object[]][] = [
    [
      "/api/v1/rewards",
      cost,
      [{ name: long }, { cost: 0 }, { stock: -1 }, { limit_per_person: 0 }, { description: long }],
    ],
    [`/api/v1/rewards/${reward.id}/redemptions`, {}, [{ comment: long }]],
    [
      "/api/v1/allowances",
      month,
      [
        ...[{ name: "" }, { value: 0 }, { on: 77 }, { at: "x" }, { starts_on: "x" }],
        ...[
          { starts_on: "2027-01-02", ends_on: "2027-01-01" },
          { period: "week", on: 9 },
        ],
        ...[{ audience: { dept: "none" } }, { audience: { usernames: [] } }, { audience: { usernames: ["nobody"] } }],
        ...[{ mode: "x" }, { period: "x" }],
      ],
    ],
    [
      "/api/v1/webhooks",
      {},
      [
        ...[{ url: "" }, { url: "x" }, { url: "https://u:p@example.com/" }, { url: `https://${long}` }],
        { url: "https://example.com/", description: long },
        ...[{ url: "https://localhost/" }, { url: "https://[::1]/" }, { url: "https://example.com:8443/" }],
        ...[{ url: "http://1.1.1.1/" }, { url: "https://1.1.1.1/", events: ["x"] }],
      ],
    ],
    ["/api/v1/service-tokens", token, [{ name: "" }, { username: "none" }, { scopes: ["admin"] }]],
    [
      "/user/",
      zed,
      [
        ...[{ username: "a/b" }, { username: "ws" }, { username: long }, { name: "" }, { email: "x" }, { dept: "" }],
        ...[{ password: "" }, { avatar: "x" }, { username: "ana" }, { currency: long }],
        { avatar: `${server.url}/logout` },
      ],
    ],
    [
      "/api/v1/transactions",
      { to: "bruno", value: 5 },
      [{ value: 0 }, { value: 500_000 }, { reason: long }, { tags: ["none"] }, { to: "none" }],
    ],
    [
      "/api/v1/grants",
      { value: 5 },
      [
        ...[{ usernames: [] }, { usernames: [], depts: ["none"] }, { usernames: ["nobody", "no one"] }],
        ...[
          { usernames: ["ana"], depts: ["none", "empty"] },
          { usernames: [], depts: Array(1000).fill("none") },
        ],
      ],
    ],
    [`/api/v1/recognitions/${given.id}/replies`, {}, [{ text: " " }, { text: long }]],
    [
      `/api/v1/transactions/${given.id}/reversal`,
      { reason: "x" },
      [{ reason: "" }, { reason: long }, { value: 0 }, { value: 50 }],
    ],
    ["/api/v1/users/ana/erasure", { reasons: "none" }, [{}]],
  ]
  const refusals: { readonly status: number; readonly refused: Refused }[] = []
  const ask = async (caller: Client, method: string, path: string, sent: Sent) => {
    const response = await caller.request(method, path, sent)
    const { detail, field = detail.split(": ")[0] }: { detail: string; field?: string } = await response.json()
    refusals.push({ status: response.status, refused: { code: response.headers.get("error-code"), detail, field } })
  }
  for (const [path, body, wrong] of posts)
    for (const field of wrong) {
      const caller = path.includes("redemptions") || path === "/api/v1/transactions" ? ana : admin
      await ask(caller, "POST", path, { json: { ...body, ...field } })
    }
  for (const [username, change] of [
    ["admin", { dept: "sales" }],
    ["admin", { active: false }],
    ["ana", { email: "bruno@example.com" }],
    ["ana", { name: "\u0001" }],
    ["ana", { name: "a".padEnd(10, "\u0301") }],
  ] as const)
    await ask(admin, "PATCH", `/api/v1/users/${username}`, { json: change })
  for (const path of ["/api/v1/me/avatar", `/api/v1/rewards/${reward.id}/picture`])
    for (const body of [
      "x",
      pictures.png.subarray(0, -1),
      pngOf({ width: 2049 }),
      pngOf({ width: 2000, height: 2000, frames: Array(5).fill({ width: 1, height: 1 }) }),
    ])
      await ask(admin, "PUT", path, { body, headers: { "content-type": "image/png" } })
  expect(refusals.filter(({ status }) => status < 400)).toEqual([])

  const files = [
    "",
    "what",
    'name,email,dept\n"A',
    "name,email,dept,username,active,avatar\nA,b,,a/b,maybe,x\nC,b,d,c,no,\n",
    "name,dept,dept\nA,b,c\n",
    "name,what,password\nA,b,c\n",
    `name${",x".repeat(300)}`,
    "name,email,dept,joined\nA,a@example.com,x,1/2/2026\nB,a@example.com,x,\n",
    "name,email,dept,manager\nA,a1@example.com,x,\nA,a2@example.com,x,A\nC,c@example.com,x,A\nD,d@example.com,x,E\n",
    "username,name,email,dept,manager\na1,A,a1@example.com,x,\na2,A,a2@example.com,x,A\n",
    "name\nA\n",
    "PK\u0003\u0004",
    Uint8Array.of(0x81, 0x8d),
    Uint8Array.of(0xff, 0xfe, 0x61),
  ]
  const said = refusals.map(({ refused }) => refused)
  for (const body of files) {
    const sent = { body, headers: { "content-type": "text/csv" } }
    const response = await admin.request("POST", "/api/v1/users/import?dry_run=true", sent)
    const answer: Refused & { errors?: (Refused & { column: string })[] } = await response.json()
    said.push(...(answer.errors?.map((error) => ({ ...error, field: error.column })) ?? [answer]))
  }
  expect(said.length).toBeGreaterThan(50)
  for (const [language, words] of Object.entries(translated))
    expect(
      said.filter((refused) => translatedRefusal(refused, words) === undefined).map((one) => [language, one]),
    ).toEqual([])
})

/** What the app never asks for, or decides by without showing it. */
const unseen = [
  ...["bad_logout_token", "malformed_json", "malformed_form", "malformed_host", "malformed_path", "malformed_upgrade"],
  ...["unfinished_body", "unsupported_media_type", "method_not_allowed", "other_websocket_version", "not_a_download"],
  ...[
    "bad_signature",
    "bad_command_token",
    "beyond_scope",
    "second_factor_required",
    "not_ready",
    "unexpected",
    "invalid",
  ],
]

test("every language but English has words for every code that a person can meet, and for no other", () => {
  const seen = Object.keys(details).filter((code) => !unseen.includes(code))
  for (const [language, { refusals, rules }] of Object.entries(translated)) {
    expect([language, ...Object.keys(refusals).toSorted()]).toEqual([language, ...seen.toSorted()])
    expect([language, ...Object.keys(rules).toSorted()]).toEqual([
      language,
      ...Object.keys(portuguese.rules).toSorted(),
    ])
  }
})

test("the words of an error go by its code, whatever its detail says; names behind the detail stay", () => {
  const words = { refusals: { user_not_found: "Ninguém", wrong_password: "Não é" }, rules: {} }
  const said = (code: string | null, detail: string, field?: string) =>
    translatedRefusal({ code, detail, field }, words)
  expect(said("user_not_found", "Another sentence")).toBe("Ninguém")
  expect(said("user_not_found", "User not found: ana, ben")).toBe("Ninguém: ana, ben")
  expect(said("wrong_password", "current_password: not your present password", "current_password")).toBe("Não é")
  expect(said("erased", "User not found")).toBeUndefined()
  expect(said(null, "User not found")).toBeUndefined()
})

/** The translation of what the server says of a value in the field `name`. */
const ruled = (detail: string, rules: Readonly<Record<string, string>>) =>
  translatedRefusal({ code: "invalid", detail, field: "name" }, { refusals: {}, rules })

test("a number in the message is placed where the translation has its placeholder", () => {
  const catalogue = { "# to # characters": "De # a # caracteres", "none of / ? #": "Sem / ? #", "# of #": "só #" }
  expect(ruled("name: 1 to 64 characters", catalogue)).toBe("De 1 a 64 caracteres")
  expect(ruled("1 to 64 characters", catalogue)).toBe("De 1 a 64 caracteres")
  expect(ruled("name: 3 of 4", catalogue)).toBe("só 3")
  expect(ruled("name: none of / ? #", catalogue)).toBe("Sem / ? #")
  expect(ruled("name: up to 64 characters", catalogue)).toBeUndefined()
})

test("a variable part of the message is placed where the translation has its name", () => {
  const catalogue = { "(none?) of {words}.": "Nenhum: {words}", "{host} at {address}": "{address} de {host}" }
  expect(ruled("name: (none?) of help, care.", catalogue)).toBe("Nenhum: help, care")
  expect(ruled("(none?) of {host}.", catalogue)).toBe("Nenhum: {host}")
  expect(ruled("name: a.example at 10.0.0.1", catalogue)).toBe("10.0.0.1 de a.example")
  expect(ruled("no of help.", catalogue)).toBeUndefined()
  expect(ruled("name: each at most once, of help, care", portuguese.rules)).toEndWith(": help, care")
})
