import { createLettering } from "./lettering.ts"
import type { Drawn } from "./recap-picture.ts"
import { recapSvg } from "./recap-svg.ts"
import type { RecapWords } from "./recap-words.ts"
import { loadRenderer } from "./renderer.ts"

/* The code of the thread that draws pictures, one after another. */

declare const self: Worker

const loaded = loadRenderer().then((renderer) => ({ renderer, letters: createLettering(renderer) }))

self.onmessage = async ({ data }: MessageEvent<RecapWords>) => {
  let answer: Drawn
  try {
    const { renderer, letters } = await loaded
    answer = { png: renderer.png(recapSvg(data, letters)) }
  } catch (error) {
    answer = { error: error instanceof Error ? error.message : String(error) }
  }
  self.postMessage(answer)
}
