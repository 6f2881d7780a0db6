import { expect, test } from "bun:test"
import { folderWithLogo, png, svg } from "../../support/logo.ts"
import { startTestServer } from "../../support/server.ts"
import { until } from "../../support/until.ts"

/** A mail about a recognition from a service with these settings. */
async function mailWith(settings: Readonly<Record<string, string>>) {
  await using server = await startTestServer({
    settings: { "email.debug_delay_seconds": "0", "service.name": "A & B", ...settings },
  })
  const [ana, bruno] = [await server.person("Ana"), await server.person("Bruno")]
  await server.grant(ana, 10)
  await bruno.patch("/api/v1/me", { mail: "each" })
  await server.app.mailDispatch.enqueueDue() // nothing before this is told
  await ana.post("/transaction/bruno/", { value: 1 })
  await server.app.mailDispatch.enqueueDue()
  server.app.worker.wake()
  const about = () => server.mails.find(({ subject }) => subject.startsWith("Ana thanked you"))
  await until(async () => about() !== undefined)
  return { ...about() }
}

test("HTML mail carries the logo inside, and shows the name where no pictures are", async () => {
  await using folder = await folderWithLogo("logo.png", png)
  const { html, text, pictures } = await mailWith({ "service.logo": folder.file })
  expect(html).toContain(`<main>\n<p class="logo"><img src="cid:logo" alt="A &amp; B" height="40"></p>\n<p>`)
  expect(pictures).toEqual([{ id: "logo", kind: "png", bytes: expect.any(Uint8Array) }])
  expect(text).not.toContain("logo")
})

test("mail has no picture without a logo, and none of an SVG", async () => {
  await using vector = await folderWithLogo("logo.svg", svg)
  for (const settings of [{}, { "service.logo": vector.file }]) {
    const { html, pictures } = await mailWith(settings)
    expect(html).toContain('<main>\n<p><span class="face"')
    expect(pictures).toBeUndefined()
  }
})
