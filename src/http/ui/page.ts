import { brotliCompressSync, gzipSync } from "node:zlib"
import type { UiBundle } from "./bundled.ts"
import type { Encoded } from "./encoded.ts"

/** The one page of the app. It holds no script and no style of its own, so that the policy can forbid them. */
export function composePage({ entry, icon, noScript }: UiBundle, serviceName: string): Encoded {
  const name = Bun.escapeHTML(serviceName)
  const sentences = Object.entries(noScript).map(
    ([language, text]) => `<p lang="${language}">${Bun.escapeHTML(text)}</p>`,
  )
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content">
<meta name="color-scheme" content="light dark">
<meta name="application-name" content="${name}">
<meta name="description" content="${name}: points and a sentence of thanks, from colleague to colleague">
<title>${name}</title>
<link rel="icon" href="${icon}" type="image/svg+xml">
<link rel="stylesheet" href="${entry.style}">
${entry.preloads.map((path) => `<link rel="modulepreload" href="${path}">`).join("\n")}
<script type="module" src="${entry.script}"></script>
</head>
<body>
<div id="app"></div>
<noscript><main class="no-script"><h1>${name}</h1>${sentences.join("")}</main></noscript>
</body>
</html>
`
  const bytes = new TextEncoder().encode(html)
  return {
    type: "text/html; charset=utf-8",
    etag: `W/"${Bun.hash(bytes).toString(36)}"`,
    br: new Blob([brotliCompressSync(bytes)]),
    gzip: new Blob([gzipSync(bytes)]),
  }
}
