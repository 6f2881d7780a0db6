import { threadUrl } from "../../support/threads.ts"
import type { RecapWords } from "./recap-words.ts"

let thread: Thread | undefined

/**
 * Draws a look back as a PNG of 1200 by 630 pixels, the size that chats and networks show. It does so in a thread, which lives
 * from the first picture on.
 */
export async function drawRecap(said: RecapWords): Promise<Uint8Array> {
  thread ??= startThread()
  return thread(said)
}

type Thread = (said: RecapWords) => Promise<Uint8Array>

/** What the thread answers. */
export type Drawn = { readonly png: Uint8Array } | { readonly error: string }

function startThread(): Thread {
  const worker: Worker & Partial<Pick<Bun.Worker, "unref">> = new Worker(threadUrl("formats/pictures/thread.ts"))
  worker.unref?.()
  const waiting: PromiseWithResolvers<Uint8Array>[] = []
  worker.onmessage = ({ data }: MessageEvent<Drawn>) => {
    const next = waiting.shift()
    if ("png" in data) next?.resolve(data.png)
    else next?.reject(new Error(`a picture could not be drawn: ${data.error}`))
  }
  worker.onerror = ({ message }) => {
    thread = undefined // the next picture begins another
    for (const { reject } of waiting.splice(0)) reject(new Error(`the thread that draws has ended: ${message}`))
  }
  return (said) => {
    const drawn = Promise.withResolvers<Uint8Array>()
    waiting.push(drawn)
    worker.postMessage(said)
    return drawn.promise
  }
}
