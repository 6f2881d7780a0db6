/** The contents of a mail, in the language of its reader. */
export interface Letter {
  readonly language: string
  readonly subject: string
  /** The company's logo, and the name that stands for it where pictures are not loaded. */
  readonly logo: { readonly url: string; readonly name: string } | null
  readonly paragraphs: readonly string[]
  readonly quotes: readonly Quote[]
  readonly closing: readonly string[]
  readonly link: { readonly text: string; readonly url: string }
  /** Why the reader gets the mail, and how to unsubscribe. */
  readonly reason: string
  readonly unsubscribe: { readonly text: string; readonly url: string }
}

interface Quote {
  readonly title: string
  readonly text: string
  readonly tags: readonly string[]
  /** The address of the recognition or of the person. */
  readonly url: string
}

/** The two parts of a message: text and HTML. */
export const composed = (letter: Letter) => ({
  subject: letter.subject,
  text: textOf(letter),
  html: htmlOf(letter),
  unsubscribeUrl: letter.unsubscribe.url,
})

function textOf({ paragraphs, quotes, closing, link, reason, unsubscribe }: Letter): string {
  const quoted = quotes.map(({ title, text, tags, url }) =>
    [title, ...(text === "" ? [] : text.split("\n").map((line) => `> ${line}`)), ...hashed(tags), url].join("\n"),
  )
  const blocks = [...paragraphs, ...quoted, ...closing, `${link.text}:\n${link.url}`, "-- ", reason, unsubscribed()]
  return `${blocks.join("\n\n").replace("-- \n\n", "-- \n")}\n`

  function unsubscribed() {
    return `${unsubscribe.text}:\n${unsubscribe.url}`
  }
}

const hashed = (tags: readonly string[]) => (tags.length === 0 ? [] : [tags.map((tag) => `#${tag}`).join(" ")])

/** Colours for light and dark mode. A mail program that ignores this style uses its own. */
const style = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
body { margin: 0; padding: 24px; font: 16px/1.5 system-ui, sans-serif; color: #1b211d; background: #f9f9f7; }
main { max-width: 560px; margin: 0 auto; }
.logo img { width: auto; height: auto; max-width: 100%; max-height: 40px; font-weight: 600; }
blockquote { margin: 16px 0; padding: 4px 16px; border-left: 4px solid #1f7a4d; }
blockquote a { color: inherit; text-decoration: none; }
.button { display: inline-block; padding: 10px 18px; border-radius: 8px; color: #ffffff; background: #1f7a4d; text-decoration: none; }
.quiet, .quiet a { color: #59635d; font-size: 14px; }
@media (prefers-color-scheme: dark) {
  body { color: #e7ece8; background: #101512; }
  blockquote { border-color: #5fc08d; }
  .button { color: #0c1410; background: #5fc08d; }
  .logo img { padding: 6px; border-radius: 6px; color: #1b211d; background: #ffffff; }
  .quiet, .quiet a { color: #a3aea7; }
}`

function htmlOf({ language, subject, logo, paragraphs, quotes, closing, link, reason, unsubscribe }: Letter): string {
  const head =
    logo === null
      ? ""
      : `<p class="logo"><img src="${escaped(logo.url)}" alt="${escaped(logo.name)}" height="40"></p>\n`
  const paragraph = (text: string) => `<p>${escaped(text)}</p>`
  const quote = ({ title, text, tags, url }: Quote) =>
    `<blockquote><p><a href="${escaped(url)}"><strong>${escaped(title)}</strong></a></p>${[text, ...hashed(tags)]
      .filter((line) => line !== "")
      .map(paragraph)
      .join("")}</blockquote>`
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escaped(subject)}</title>
<style>${style}
</style>
</head>
<body>
<main>
${head}${[...paragraphs.map(paragraph), ...quotes.map(quote), ...closing.map(paragraph)].join("\n")}
<p><a class="button" href="${escaped(link.url)}">${escaped(link.text)}</a></p>
<p class="quiet">${escaped(reason)}<br><a href="${escaped(unsubscribe.url)}">${escaped(unsubscribe.text)}</a></p>
</main>
</body>
</html>
`
}

const escaped = (text: string): string => Bun.escapeHTML(text).replaceAll("\n", "<br>")
