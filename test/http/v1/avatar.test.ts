import { expect, test } from "bun:test"
import { ok, refused, unauthenticated } from "../../support/answers.ts"
import { startTestServer } from "../../support/server.ts"

const png = picture([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const jpeg = picture([0xff, 0xd8, 0xff, 0xe0])
const webp = picture([0x52, 0x49, 0x46, 0x46, 1, 2, 3, 4, 0x57, 0x45, 0x42, 0x50])
const noPicture = refused(422, "avatar: a PNG, JPEG or WebP picture of at most 65536 bytes")

function picture(beginning: readonly number[], length = 100): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length)
  bytes.set(beginning)
  return bytes
}

const pathOf = (bytes: Uint8Array) => `/api/v1/avatars/${new Bun.CryptoHasher("sha256").update(bytes).digest("hex")}`

test("a picture is kept, shown in the profile, and served for good to everybody", async () => {
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

test("the contract's answers hold the whole address, and whoever sends it back changes nothing", async () => {
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

test("a picture that nobody shows any more is gone; one that another shows stays", async () => {
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

test("nothing but small pictures is taken, and from nobody but members", async () => {
  await using server = await startTestServer({ settings: { "limits.body_bytes": "100000" } })
  const ana = await server.person("Ana")
  const put = (body: BodyInit) => ana.call("PUT", "/api/v1/me/avatar", { body })

  for (const body of ["<svg xmlns='http://www.w3.org/2000/svg'/>", "GIF89a", "", "<!doctype html>", " \x89PNG"])
    expect(await put(body)).toEqual(noPicture)
  expect(await put(picture([0xff, 0xd8, 0xff], 65_536))).toMatchObject({ status: 200 })
  expect(await put(picture([0xff, 0xd8, 0xff], 65_537))).toEqual(noPicture)
  expect(await put(picture([0xff, 0xd8, 0xff], 100_001))).toEqual(
    refused(413, "The body is larger than this server takes"),
  )
  expect(await server.anybody.call("PUT", "/api/v1/me/avatar", { body: png })).toEqual(unauthenticated)
})
