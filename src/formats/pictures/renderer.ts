import regularFont from "@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf" with { type: "file" }
import boldFont from "@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf" with { type: "file" }
import emojiFont from "@expo-google-fonts/noto-emoji/400Regular/NotoEmoji_400Regular.ttf" with { type: "file" }
import { initWasm, Resvg } from "@resvg/resvg-wasm"
import program from "@resvg/resvg-wasm/index_bg.wasm" with { type: "file" }
import { embedded } from "../../support/embedded.ts"

export type Renderer = Awaited<ReturnType<typeof loadRenderer>>

/** Inter draws letters, in two weights; Noto Emoji everything else that it has. */
export const families = { letters: "Inter", emoji: "Noto Emoji" } as const

/** A box, as far as it is painted; null when nothing is. */
type Box = Readonly<Record<"x" | "y" | "width" | "height", number>> | null

/** Turns SVG into pictures. Once in a thread. */
export async function loadRenderer() {
  await initWasm(await embedded(program))
  const font = {
    fontBuffers: await Promise.all([regularFont, boldFont, emojiFont].map(embedded)),
    loadSystemFonts: false,
    defaultFontFamily: families.letters,
  }

  return {
    /** What of this content of an SVG would be painted. */
    boxOf(content: string): Box {
      const tree = new Resvg(`<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1">${content}</svg>`, { font })
      const box = tree.getBBox()
      const found = box ? { x: box.x, y: box.y, width: box.width, height: box.height } : null
      box?.free()
      tree.free()
      return found
    },

    png(svg: string): Uint8Array {
      const tree = new Resvg(svg, { font })
      const picture = tree.render()
      const png = picture.asPng()
      picture.free()
      tree.free()
      return png
    },
  }
}
