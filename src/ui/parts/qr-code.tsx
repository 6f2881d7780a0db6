import { useLayoutEffect, useState } from "preact/hooks"
import { untilCleanup } from "../server/retry.ts"

interface QrCodeProps {
  /** The content of the code. */
  readonly text: string
  /** For screen readers. */
  readonly label: string
  readonly class?: string
}

/** A QR code. Dark on light in both colour schemes, because some cameras cannot read inverted codes. */
export function QrCode({ text, label, class: look = "size-40" }: QrCodeProps) {
  const [code, setCode] = useState<{ readonly path: string; readonly size: number } | null>(null)
  useLayoutEffect(
    () =>
      untilCleanup(async (isWanted) => {
        const found = await pathOf(text)
        if (isWanted()) setCode(found)
      }),
    [text],
  )
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${code?.size ?? 1} ${code?.size ?? 1}`}
      shape-rendering="crispEdges"
      class={`${look} rounded-field bg-white text-black`}
    >
      {code && <path fill="currentColor" d={code.path} />}
    </svg>
  )
}

/** The dark modules as rectangles, row by row. The library is loaded on first use, because few screens show a code. */
async function pathOf(text: string) {
  const { encode } = await import("uqr")
  const { data, size } = encode(text, { ecc: "M", border: 2 })
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ""))).join("")
  return { path, size }
}
