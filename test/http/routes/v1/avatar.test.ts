import { expect, test } from "bun:test"
import { ok, refused, unauthenticated } from "../../../support/answers.ts"
import { pictures, pngOf } from "../../../support/pictures.ts"
import { startTestServer } from "../../../support/server.ts"

const { png, jpeg, lossy: webp } = pictures
const noPicture = refused(422, "avatar: a PNG, JPEG or WebP picture of at most 65536 bytes")

/** A whole picture with zeros behind it. */
function picture(length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length)
  bytes.set(jpeg)
  return bytes
}

const pathOf = (bytes: Uint8Array) => `/api/v1/avatars/${new Bun.CryptoHasher("sha256").update(bytes).digest("hex")}`

test("a picture is stored, shown in the profile, and served to everybody as immutable", async () => {
  await using server = await startTestServer()
  const ana = await server.person("Ana")

  for (const [kind, bytes] of Object.entries({ png, jpeg, webp })) {
    const path = pathOf(bytes)
    expect(await ana.call("PUT", "/api/v1/me/avatar", { body: bytes })).toMatchObject(
      ok({ username: "ana", avatar: path }),
    )
    const served = await server.anybody.request("GET", path)
    expect([served.status, await served.bytes()]).toEqual([200, bytes])
    expect(Object.fromEntries(served.headers)).toMatchObject({
      "content-type": `image/${kind}`,
      "cache-control": "public, max-age=31536000, immutable",
      "x-content-type-options": "nosniff",
      "content-security-policy": expect.stringContaining("default-src 'none'"),
    })
  }
})

test("the contract's answers have the complete URL, and sending it back changes nothing", async () => {
  await using server = await startTestServer()
  const ana = await server.person("Ana")
  await ana.call("PUT", "/api/v1/me/avatar", { body: png })
  const avatar = server.url + pathOf(png)

  expect(await server.anybody.get("/user/ana/")).toMatchObject({ body: { avatar } })
  expect(await server.anybody.get("/user/")).toMatchObject({ body: [{ avatar: null }, { avatar }] })
  expect(await ana.patch("/user/ana/", { avatar, bio: "Hello" })).toMatchObject(ok({ avatar, bio: "Hello" }))
  expect(await ana.get("/api/v1/me")).toMatchObject({ body: { avatar: pathOf(png) } })
  expect((await server.anybody.request("GET", pathOf(png))).status).toBe(200)
})

test("a picture is deleted with its last user; one that another user has is kept", async () => {
  await using server = await startTestServer()
  const [ana, bruno] = [await server.person("Ana"), await server.person("Bruno")]
  const status = async (bytes: Uint8Array) => (await server.anybody.request("GET", pathOf(bytes))).status
  for (const person of [ana, bruno]) await person.call("PUT", "/api/v1/me/avatar", { body: png })

  await ana.call("PUT", "/api/v1/me/avatar", { body: jpeg })
  expect([await status(png), await status(jpeg)]).toEqual([200, 200])
  expect(await bruno.call("DELETE", "/api/v1/me/avatar")).toMatchObject(ok({ username: "bruno", avatar: null }))
  expect([await status(png), await status(jpeg)]).toEqual([404, 200])
  await ana.patch("/user/ana/", { avatar: "https://example.com/ana.png" })
  expect(await server.anybody.get(pathOf(jpeg))).toEqual(refused(404, "Not Found"))
})

test("only small pictures are accepted, and only from users", async () => {
  await using server = await startTestServer({ settings: { "limits.body_bytes": "100000" } })
  const ana = await server.person("Ana")
  const put = (body: BodyInit) => ana.call("PUT", "/api/v1/me/avatar", { body })

  for (const body of ["<svg xmlns='http://www.w3.org/2000/svg'/>", "GIF89a", "", "<!doctype html>", " \x89PNG"])
    expect(await put(body)).toEqual(noPicture)
  expect(await put(picture(65_536))).toMatchObject({ status: 200 })
  expect(await put(picture(65_537))).toEqual(noPicture)
  expect(await put(picture(100_001))).toEqual(refused(413, "The body is too large"))
  expect(await server.anybody.call("PUT", "/api/v1/me/avatar", { body: png })).toEqual(unauthenticated)
})

test("a picture that is cut off, or takes too much of the browsers that show it, is refused with its field", async () => {
  await using server = await startTestServer()
  const admin = await server.admin()
  const { body: reward } = await admin.post<{ id: number }>("/api/v1/rewards", { name: "Mug", cost: 5 })
  const long = Array(5).fill({ width: 1, height: 1 })
  for (const [body, rule] of [
    [png.subarray(0, -1), "a whole picture; this file is cut off or damaged"],
    [pngOf({ width: 20_000, height: 20_000 }), "a picture of at most 2048 by 2048 pixels"],
    [pngOf({ width: 2000, height: 2000, frames: long }), "an animation of at most 16777216 pixels in all its frames"],
  ] as const)
    for (const [path, field] of [
      ["/api/v1/me/avatar", "avatar"],
      [`/api/v1/rewards/${reward.id}/picture`, "picture"],
    ] as const) {
      const response = await admin.request("PUT", path, { body })
      expect([response.status, await response.json()]).toEqual([
        422,
        { detail: `${field}: ${rule}`, code: "invalid", field },
      ])
    }
})

test("a picture that was stored before these rules is not sent any more", async () => {
  await using server = await startTestServer()
  const ana = await server.person("Ana")
  const { users } = server.app.store
  const user = await users.byUsername("ana")
  if (user === null) throw new Error("Ana is missing")
  const bytes = pngOf({ width: 20_000, height: 20_000 })
  const avatar = pathOf(bytes)
  await users.saveAvatar(user.id, { kind: "png", bytes, hash: avatar.slice(-64) })

  expect(await ana.get("/api/v1/me")).toMatchObject({ body: { avatar } })
  expect(await server.anybody.get(avatar)).toEqual(refused(404, "Not Found"))
})

const notAPicture = refused(422, `avatar: on this server only an uploaded picture: /api/v1/avatars/ and its hash`)

/** Addresses that lead a browser to this server. */
const spellings = (name: string, port: string) => [
  `http://${name}:${port}/api/v1/users.csv`,
  `https://${name}:${port}/api/v1/users.csv`,
  `HTTP://${name.toUpperCase()}:${port}/api/v1/users.csv`,
  `http://somebody:secret@${name}:${port}/api/v1/transactions.csv?username=ana`,
  `http://${name}.:${port}/api/v1/users.csv`,
  `http://${name}:${port}`,
  `http://${name}:${port}/api/v1/avatars/../users.csv`,
  `http://${name}:${port}/api/v1/avatars/${"0".repeat(64)}?x`,
  `http://${name}:${port}/api/v1/avatars/${"0".repeat(63)}`,
  `http:///${name}:${port}/api/v1/users.csv`,
]

test("an avatar at this server's address must be a stored picture, however the address is spelled", async () => {
  await using server = await startTestServer()
  const [admin, ana] = [await server.admin(), await server.person("Ana")]
  const { port } = new URL(server.url)
  const local = ["localhost", "127.1", "0x7f000001", "[::1]", "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]", "0.0.0.0"]
  const addresses = [...spellings("127.0.0.1", port), ...local.map((name) => `http://${name}:${port}/api/v1/users.csv`)]

  for (const avatar of addresses) {
    const told = { avatar, ...notAPicture }
    expect({ avatar, ...(await ana.patch("/user/ana/", { avatar })) }).toEqual(told)
    expect({ avatar, ...(await ana.patch("/api/v1/me", { avatar })) }).toEqual(told)
    const dora = { name: "Dora", email: "dora@example.com", dept: "sales", password: "a password of Dora", avatar }
    expect({ avatar, ...(await admin.post("/user/", dora)) }).toEqual(told)
  }
  for (const avatar of ["/api/v1/users.csv", "//127.0.0.1/api/v1/users.csv", "api/v1/users.csv"])
    expect(await ana.patch("/user/ana/", { avatar })).toMatchObject({ status: 422 })
  for (const avatar of ["http://127.0.0.1:1/ana.png", "https://pictures.example.com/api/v1/users.csv"])
    expect(await ana.patch("/user/ana/", { avatar })).toMatchObject(ok({ avatar }))
})

test("an avatar at the address of server.base_url must be a stored picture, with or without the default port", async () => {
  await using server = await startTestServer({ settings: { "server.base_url": "https://Rewards.example.com" } })
  const ana = await server.person("Ana")
  const hash = "0".repeat(64)

  for (const avatar of [
    ...spellings("rewards.example.com", "443"),
    "http://rewards.example.com/api/v1/users.csv",
    "https://rewards.example.com./api/v1/users.csv",
    "https://rewards。example。com/api/v1/users.csv",
  ])
    expect({ avatar, ...(await ana.patch("/user/ana/", { avatar })) }).toMatchObject({ avatar, status: 422 })
  for (const avatar of [
    `https://rewards.example.com/api/v1/avatars/${hash}`,
    `https://REWARDS.example.com:443/api/v1/avatars/${hash}`,
    `/api/v1/avatars/${hash}`,
  ]) {
    const shown = `https://rewards.example.com/api/v1/avatars/${hash}`
    expect(await ana.patch("/user/ana/", { avatar })).toMatchObject(ok({ avatar: shown }))
    expect(await ana.get("/api/v1/me")).toMatchObject({ body: { avatar: `/api/v1/avatars/${hash}` } })
  }
})

test("an import cannot set an avatar at another path of this server", async () => {
  await using server = await startTestServer()
  const admin = await server.admin()
  const file = `name,email,dept,avatar\nAna,ana@example.com,sales,${server.url}/api/v1/users.csv\n`

  expect(
    await admin.call("POST", "/api/v1/users/import", { body: file, headers: { "content-type": "text/csv" } }),
  ).toEqual(refused(422, "row 2, avatar: on this server only an uploaded picture: /api/v1/avatars/ and its hash"))
})
