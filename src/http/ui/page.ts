import type { LoginMethods } from "../login-methods.ts"
import type { UiBundle } from "./bundled.ts"

/** Content in the encodings that browsers accept. */
export interface Encoded {
  readonly type: string
  /** Weak, because it is the same for every encoding. */
  readonly etag: string
  readonly br: Blob
  readonly gzip: Blob
}

export const manifestPath = "/manifest.webmanifest"

/** The background colours of `style.css`, for the frame that a device draws around the page. */
const colours = { light: "#f9f9f7", dark: "#101512" }

/**
 * The page of the app at one of its addresses. Pages differ only in the screen that they preload. A page has no inline
 * script or style, so that its Content-Security-Policy can forbid them. It requests the session while the scripts load,
 * and contains the ways to log in, so that the log-in screen need not request them.
 */
export function composePage(
  { entry, preloads, icon, icons, noScript }: UiBundle,
  serviceName: string,
  login: LoginMethods,
  address: string,
): Encoded {
  const name = Bun.escapeHTML(serviceName)
  const sentences = Object.entries(noScript).map(
    ([language, text]) => `<p lang="${language}">${Bun.escapeHTML(text)}</p>`,
  )
  const touchIcon = icons.find(({ purpose }) => purpose === "maskable")
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content">
<meta name="color-scheme" content="light dark">
<meta name="application-name" content="${name}">
<meta name="login-methods" content="${Bun.escapeHTML(JSON.stringify(login))}">
<meta name="description" content="${name}: points and a sentence of thanks, from colleague to colleague">
<title>${name}</title>
<link rel="icon" href="${icon}" type="image/svg+xml">
<link rel="apple-touch-icon" href="${touchIcon?.path}">
<link rel="manifest" href="${manifestPath}">
<meta name="theme-color" content="${colours.light}" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="${colours.dark}" media="(prefers-color-scheme: dark)">
<link rel="stylesheet" href="${entry.style}">
${[...entry.preloads, ...(preloads[address] ?? [])].map((path) => `<link rel="modulepreload" href="${path}">`).join("\n")}
<link rel="preload" href="/api/v1/session" as="fetch" crossorigin>
<script type="module" src="${entry.script}"></script>
</head>
<body>
<div id="app"></div>
<noscript><main class="no-script"><h1>${name}</h1>${sentences.join("")}</main></noscript>
</body>
</html>
`
  return encoded(html, "text/html; charset=utf-8")
}

/** The web app manifest, with which browsers install the app under the name of the service. */
export function composeManifest({ icon, icons }: UiBundle, serviceName: string): Encoded {
  const manifest = {
    id: "/",
    name: serviceName,
    short_name: serviceName,
    start_url: "/",
    scope: "/",
    display: "standalone",
    background_color: colours.light,
    theme_color: colours.light,
    icons: [
      { src: icon, sizes: "any", type: "image/svg+xml" },
      ...icons.map(({ path, size, purpose }) => ({ src: path, sizes: `${size}x${size}`, type: "image/png", purpose })),
    ],
  }
  return encoded(JSON.stringify(manifest), "application/manifest+json")
}

function encoded(text: string, type: string): Encoded {
  const { brotliCompressSync } = process.getBuiltinModule("node:zlib") // on demand: it takes 2 ms of a start
  const bytes = new TextEncoder().encode(text)
  return {
    type,
    etag: `W/"${Bun.hash(bytes).toString(36)}"`,
    br: new Blob([brotliCompressSync(bytes)]),
    gzip: new Blob([Bun.gzipSync(bytes)]),
  }
}
