import { expect, test } from "bun:test"
import { languages } from "../../../src/domain/languages.ts"
import { composed, composedFrom, type Letter } from "../../../src/integrations/mail/letter.ts"
import { createSmtpMailer } from "../../../src/integrations/mail/smtp.ts"
import { mailTexts } from "../../../src/integrations/mail/words.ts"
import { fill } from "../../../src/languages/writing.ts"
import { startSmtpServer } from "../../support/smtp.ts"

const logo = { picture: { id: "logo", kind: "png", bytes: new Uint8Array([1, 2, 3]) }, name: "Example" } as const
const face = { name: "Ana de Souza", picture: { id: "face-1", kind: "jpeg", bytes: new Uint8Array([4]) } } as const

const said = {
  ...{ service: "Example", name: "<b>Ana</b> & Co", username: "ana", invited: "Bo has invited you. ", days: "7 days" },
  ...{ minutes: "10 minutes", what: "A passkey was added", when: "now", reward: "A mug", points: "5 points" },
  quote: "\n> first <script>\n> \n> second\n",
  url: "https://rewards.example/reset-password?pwd_reset_token=a.b&c=d",
}

/** The words of HTML as somebody reads them. */
const readingOf = (html: string) =>
  html
    .slice(html.indexOf("<main>"))
    .replaceAll("<br>", "\n")
    .replaceAll(/<[^>]+>/g, " ")
    .replaceAll(
      /&(amp|lt|gt|quot|#x27);/g,
      (_, name: string) => ({ amp: "&", lt: "<", gt: ">", quot: '"' })[name] ?? "'",
    )

const wordsOf = (text: string) =>
  text
    .replaceAll(/^> ?/gm, "")
    .split(/\s+/)
    .filter((word) => word !== "" && word !== "--")

for (const language of languages)
  test(`text and HTML of mail about accounts and rewards say the same, in ${language}`, () => {
    const texts = mailTexts[language]
    for (const template of [
      texts.reset,
      texts.invitation,
      texts.invitationToProvider,
      texts.secondFactor,
      texts.test,
      texts.request,
      texts.fulfilled,
      texts.declined,
    ]) {
      const reason = fill(texts.why, said)
      const { subject, text, html } = composedFrom(template, said, { language, logo: null, reason })

      expect(subject).not.toContain("{")
      expect(text).not.toMatch(/[{}]/)
      const inHtml = wordsOf(readingOf(html))
      expect(wordsOf(text).filter((word) => !inHtml.includes(word))).toEqual([])
      const inText = wordsOf(`${text} ${template.button}`)
      expect(inHtml.filter((word) => !inText.includes(word))).toEqual([])
      expect(html).toContain(`<html lang="${language}">`)
      expect(html.match(/class="button"/g)).toHaveLength(1)
      expect(html).not.toContain("<script>")
      expect(html).not.toContain("<b>Ana")
    }
  })

test("HTML escapes everything, loads nothing, and has the address in full below the button", () => {
  const evil = `"><img src=x onerror=alert(1)>'&`
  const letter: Letter = {
    ...{ language: "en", subject: evil, logo: { ...logo, name: evil }, from: { name: evil, picture: null } },
    paragraphs: [evil],
    quotes: [{ title: evil, text: evil, tags: [evil], url: `https://a.example/${evil}`, face }],
    closing: [evil],
    link: { text: evil, url: `https://a.example/?${evil}` },
    ...{ after: [evil], reason: evil, unsubscribe: { text: evil, url: `https://a.example/${evil}` } },
  }
  const { html, pictures } = composed(letter)

  expect(html.match(/<img /g)).toHaveLength(2)
  expect(html).not.toContain("onerror=alert(1)>'")
  expect(html.match(/src="(?!cid:)/g)).toBeNull()
  expect(html).not.toMatch(/url\(|@import|<link|<script/)
  expect(html).toContain("prefers-color-scheme: dark")
  expect(pictures?.map(({ id }) => id)).toEqual(["logo", "face-1"])
  const address = Bun.escapeHTML(letter.link.url)
  expect(html).toContain(`<p class="quiet"><a href="${address}">${address}</a></p>`)
})

test("a person without a picture has the initials", () => {
  const initials = (name: string) => {
    const from = { name, picture: null }
    const { html } = composedFrom(mailTexts.en.test, said, { language: "en", logo: null, reason: null, from })
    return /<span class="face" aria-hidden="true">([^<]*)</.exec(html)?.[1]
  }
  expect(["Ana de Souza", "cher", "\u00e9lodie x", "\ud83d\udc69\u200d\ud83d\ude80 Mae"].map(initials)).toEqual([
    "AS",
    "C",
    "\u00c9X",
    "\ud83d\udc69\u200d\ud83d\ude80M",
  ])
})

test("a message with pictures is text, and HTML with its pictures inside", async () => {
  const server = await startSmtpServer()
  const mailer = createSmtpMailer({ host: server.host, port: server.port, ca: () => server.ca, tls: "implicit" })
  const mail = composedFrom(mailTexts.en.invitation, said, { language: "en", logo, reason: null, from: face })
  const signal = new AbortController().signal

  await mailer.send({ from: "kudos@example.com", to: "ana@example.com", ...mail }, signal)
  await server.stop()

  const [received] = server.mails
  expect(received?.types).toEqual([
    "multipart/alternative",
    "text/plain",
    "multipart/related",
    "text/html",
    "image/png",
    "image/jpeg",
  ])
  expect([received?.text.trim(), received?.html?.trim()]).toEqual([mail.text.trim(), mail.html.trim()])
  for (const id of ["logo", "face-1"]) {
    expect(received?.raw).toContain(`Content-ID: <${id}>`)
    expect(received?.html).toContain(`src="cid:${id}"`)
  }
  expect(received?.raw.match(/Content-Disposition: inline/g)).toHaveLength(2)
})
