import { Type } from "@sinclair/typebox"
import { Elysia } from "elysia"
import type { App } from "../../app/app.ts"
import type { Language } from "../../domain/languages.ts"
import { mailTexts } from "../../integrations/mail/words.ts"
import { unsubscribePath } from "../../security/secrets.ts"
import { codeHeader, HttpError } from "../errors.ts"
import { fileOperation } from "../openapi-operations.ts"
import { takesPages } from "../request.ts"
import { openObject, text } from "../schemas.ts"

interface Dependencies {
  readonly app: Pick<App, "config" | "store" | "unsubscribeTokens">
}

/**
 * Unsubscribes from mail about recognition, without log-in. Mail programs (RFC 8058) and the button on the page send
 * the POST. Opening the page changes nothing, because virus scanners open the links in a mail.
 */
export function unsubscribeRoutes({ app: { config, store, unsubscribeTokens } }: Dependencies) {
  const page = { description: "A page in the language of the person", type: "text/html", errorPageStatus: 404 }

  return new Elysia()
    .get(
      unsubscribePath,
      async ({ query: { token = "" }, request }) => {
        const { userId, language } = await readerOf(token)
        if (userId === null) return badLinkFor(request)
        const texts = mailTexts[language]
        return pageOf(config.service.name, language, 200, texts.unsubscribeQuestion, texts.unsubscribeButton)
      },
      {
        query: TokenQuery,
        detail: fileOperation("Mail", "Ask whether to end mail about recognition", page, ["not_found"]),
      },
    )
    .post(
      unsubscribePath,
      async ({ query: { token = "" }, request }) => {
        const { userId, language } = await readerOf(token)
        if (userId === null) return badLinkFor(request)
        const texts = mailTexts[language]
        await store.mail.choose(userId, { mail: "off" })
        return pageOf(config.service.name, language, 200, texts.unsubscribed)
      },
      {
        // Mail programs send a form of one of two kinds. It is not read, because the token in the address is enough.
        parse: "none",
        query: TokenQuery,
        detail: fileOperation("Mail", "End mail about recognition, with the link of such a mail", page, [
          "not_found",
          "foreign_origin",
          "unwritable",
        ]),
      },
    )

  /** A page for a person, JSON for a program. A browser says only over HTTPS that a person opens the address. */
  function badLinkFor(request: Request): Response {
    if (!takesPages(request)) throw new HttpError("not_found")
    const { language, name } = config.service
    return pageOf(name, language, 404, mailTexts[language].badLink)
  }

  async function readerOf(token: string): Promise<{ readonly userId: number | null; readonly language: Language }> {
    const id = unsubscribeTokens.read(token)
    const [user] = id === null ? [] : await store.users.byIds([id])
    if (!user) return { userId: null, language: config.service.language }
    return { userId: user.id, language: (await store.mail.choiceOf(user.id)).language ?? config.service.language }
  }
}

const TokenQuery = openObject({ token: Type.Optional(text("of the link")) })

function pageOf(service: string, language: Language, status: number, sentence: string, button?: string): Response {
  const form = button === undefined ? "" : `<form method="post"><button>${Bun.escapeHTML(button)}</button></form>\n`
  const html = `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${Bun.escapeHTML(service)}</title>
</head>
<body>
<main>
<h1>${Bun.escapeHTML(service)}</h1>
<p>${Bun.escapeHTML(sentence)}</p>
${form}</main>
</body>
</html>
`
  return new Response(html, {
    status,
    headers: {
      ...(status === 404 && { [codeHeader]: "not_found" }),
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": "default-src 'none'; form-action 'self'; frame-ancestors 'none'",
    },
  })
}
