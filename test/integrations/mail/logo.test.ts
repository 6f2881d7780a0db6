import { expect, test } from "bun:test"
import { folderWithLogo, png, svg } from "../../support/logo.ts"
import { startTestServer } from "../../support/server.ts"
import { until } from "../../support/until.ts"

const https = "https://rewards.example.com"

/** A mail about a recognition from a service with these settings, and the path of its logo. */
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
  return { ...about(), path: server.app.logo?.path }
}

test("HTML mail begins with the logo at the public address, and with the name where no picture is loaded", async () => {
  await using folder = await folderWithLogo("logo.png", png)
  const { html, text, path } = await mailWith({ "service.logo": folder.file, "server.base_url": https })
  expect(html).toContain(`<main>\n<p class="logo"><img src="${https}${path}" alt="A &amp; B" height="40"></p>\n<p>`)
  expect(text).not.toContain("/logo/")
})

test("mail has no picture without a logo, at an address that is not public https, and of an SVG", async () => {
  await using raster = await folderWithLogo("logo.png", png)
  await using vector = await folderWithLogo("logo.svg", svg)
  for (const settings of [
    { "server.base_url": https },
    { "service.logo": raster.file },
    { "service.logo": raster.file, "server.base_url": "http://rewards.example.com" },
    { "service.logo": vector.file, "server.base_url": https },
  ])
    expect((await mailWith(settings)).html).toContain("<main>\n<p>")
})
