import { fill } from "../../languages/writing.ts"
import type { InlinePicture } from "./mailer.ts"

/** The contents of a mail, in the language of its reader. */
export interface Letter {
  readonly language: string
  readonly subject: string
  /** The company's logo, and the name that stands for it where pictures are not shown. */
  readonly logo: { readonly picture: InlinePicture; readonly name: string } | null
  /** Whose words or wish the mail brings; null for nobody's. */
  readonly from?: Face | null
  readonly paragraphs: readonly string[]
  readonly quotes: readonly Quote[]
  readonly closing: readonly string[]
  readonly link: { readonly text: string; readonly url: string }
  /** What stands below the link. */
  readonly after?: readonly string[]
  /** Why the reader gets the mail; null where the mail says so. */
  readonly reason: string | null
  /** How to unsubscribe; null for mail that everybody gets. */
  readonly unsubscribe: { readonly text: string; readonly url: string } | null
}

export interface Face {
  readonly name: string
  /** Null: the initials stand for it. */
  readonly picture: InlinePicture | null
}

export interface Quote {
  readonly title: string
  readonly text: string
  readonly tags: readonly string[]
  /** The address of the recognition or of the person; null for none. */
  readonly url: string | null
  readonly face?: Face | null
}

/** The two parts of a message, text and HTML, with the pictures that the latter shows. */
export function composed(letter: Letter) {
  const { logo, from, quotes, subject, unsubscribe } = letter
  const faces = [from, ...quotes.map(({ face }) => face)].flatMap((face) => face?.picture ?? [])
  const pictures = [...(logo ? [logo.picture] : []), ...faces]
  return {
    subject,
    text: textOf(letter),
    html: htmlOf(letter),
    ...(pictures.length > 0 && { pictures: [...new Map(pictures.map((one) => [one.id, one])).values()] }),
    ...(unsubscribe !== null && { unsubscribeUrl: unsubscribe.url }),
  }
}

/** The text of a mail with its place `{url}` for the address, and the words on the button that leads there. */
export interface Template {
  readonly subject: string
  readonly text: string
  readonly button: string
}

type Rest = Pick<Letter, "language" | "logo" | "reason"> & { readonly from?: Face | null }

/** A mail whose text part is the template, and whose HTML part says the same. */
export function composedFrom(template: Template, said: Readonly<Record<string, string>>, rest: Rest) {
  const [before = "", after = ""] = template.text.split("{url}")
  const blocks = blocksOf(fill(before, said))
  const letter: Letter = {
    ...rest,
    subject: fill(template.subject, said),
    paragraphs: blocks.filter((block) => !isQuote(block)).map(inOneLine),
    quotes: blocks.filter(isQuote).map((block) => ({
      ...{ title: "", tags: [], url: null },
      text: block.replaceAll(/^> ?/gm, ""),
    })),
    closing: [],
    link: { text: template.button, url: said.url ?? "" },
    after: blocksOf(fill(after, said)).map(inOneLine),
    unsubscribe: null,
  }
  const reason = rest.reason === null ? "" : `\n-- \n${rest.reason}\n`
  return { ...composed(letter), text: `${fill(template.text, said)}${reason}` }
}

const blocksOf = (text: string): string[] =>
  text
    .split(/\n{2,}/)
    .map((block) => block.replace(/^\n+|\n+$/g, ""))
    .filter((block) => block !== "")

/** Words that a person wrote, as `quoted` in words.ts makes them. */
const isQuote = (block: string): boolean => block.split("\n").every((line) => line.startsWith(">"))

/** Lines of a template end where they are full. */
const inOneLine = (block: string): string => block.replaceAll("\n", " ")

function textOf({ paragraphs, quotes, closing, link, after = [], reason, unsubscribe }: Letter): string {
  const quoted = quotes.map(({ title, text, tags, url }) =>
    [
      title,
      ...(text === "" ? [] : text.split("\n").map((line) => `> ${line}`)),
      ...hashed(tags),
      ...(url === null ? [] : [url]),
    ].join("\n"),
  )
  const footer = [reason, unsubscribe && `${unsubscribe.text}:\n${unsubscribe.url}`].filter((one) => one !== null)
  const blocks = [...paragraphs, ...quoted, ...closing, `${link.text}:\n${link.url}`, ...after]
  return `${blocks.join("\n\n")}\n${footer.length === 0 ? "" : `\n-- \n${footer.join("\n\n")}\n`}`
}

const hashed = (tags: readonly string[]) => (tags.length === 0 ? [] : [tags.map((tag) => `#${tag}`).join(" ")])

/** Colours for light and dark mode. A mail program that ignores this style uses its own. */
const style = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
body { margin: 0; padding: 24px; font: 16px/1.5 system-ui, sans-serif; color: #1b211d; background: #f9f9f7; }
main { max-width: 560px; margin: 0 auto; overflow-wrap: anywhere; }
.logo img { width: auto; height: auto; max-width: 100%; max-height: 40px; font-weight: 600; }
.face { display: inline-block; width: 40px; height: 40px; margin-right: 10px; border-radius: 50%; vertical-align: middle; line-height: 40px; text-align: center; font-weight: 600; color: #ffffff; background: #1f7a4d; }
blockquote { margin: 16px 0; padding: 4px 16px; border-left: 4px solid #1f7a4d; }
blockquote a { color: inherit; text-decoration: none; }
.button { display: inline-block; padding: 10px 18px; border-radius: 8px; color: #ffffff; background: #1f7a4d; text-decoration: none; }
.quiet, .quiet a { color: #59635d; font-size: 14px; }
@media (prefers-color-scheme: dark) {
  body { color: #e7ece8; background: #101512; }
  blockquote { border-color: #5fc08d; }
  .button, .face { color: #0c1410; background: #5fc08d; }
  .logo img { padding: 6px; border-radius: 6px; color: #1b211d; background: #ffffff; }
  .quiet, .quiet a { color: #a3aea7; }
}`

function htmlOf(letter: Letter): string {
  const { language, subject, logo, from, paragraphs, quotes, closing, link, after = [], reason, unsubscribe } = letter
  const head =
    logo === null
      ? ""
      : `<p class="logo"><img src="cid:${logo.picture.id}" alt="${escaped(logo.name)}" height="40"></p>\n`
  const sender = from ? `<p>${faceHtml(from)}<strong>${escaped(from.name)}</strong></p>\n` : ""
  const paragraph = (text: string) => `<p>${escaped(text)}</p>`
  const heading = ({ title, url, face }: Quote) => {
    const named = `<strong>${escaped(title)}</strong>`
    return title === ""
      ? ""
      : `<p>${face ? faceHtml(face) : ""}${url === null ? named : `<a href="${escaped(url)}">${named}</a>`}</p>`
  }
  const quote = (one: Quote) =>
    `<blockquote>${heading(one)}${[one.text, ...hashed(one.tags)]
      .filter((line) => line !== "")
      .map(paragraph)
      .join("")}</blockquote>`
  const footer = [
    ...(reason === null ? [] : [escaped(reason)]),
    ...(unsubscribe === null ? [] : [`<a href="${escaped(unsubscribe.url)}">${escaped(unsubscribe.text)}</a>`]),
  ]
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
${head}${sender}${[...paragraphs.map(paragraph), ...quotes.map(quote), ...closing.map(paragraph)].join("\n")}
<p><a class="button" href="${escaped(link.url)}">${escaped(link.text)}</a></p>
<p class="quiet"><a href="${escaped(link.url)}">${escaped(link.url)}</a></p>
${after.map((text) => `${paragraph(text)}\n`).join("")}${footer.length === 0 ? "" : `<p class="quiet">${footer.join("<br>")}</p>\n`}</main>
</body>
</html>
`
}

/** The picture, or the initials. A mail program that shows no pictures shows the name that follows. */
const faceHtml = ({ name, picture }: Face): string =>
  picture === null
    ? `<span class="face" aria-hidden="true">${escaped(initialsOf(name))}</span>`
    : `<img class="face" src="cid:${picture.id}" alt="" width="40" height="40">`

function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/u)
  const first = (word = "") => [...new Intl.Segmenter().segment(word)][0]?.segment ?? ""
  const [one, last] = [words[0], words.length > 1 ? words.at(-1) : undefined]
  return `${first(one)}${first(last)}`.toUpperCase()
}

const escaped = (text: string): string => Bun.escapeHTML(text).replaceAll("\n", "<br>")
