import { threadUrl } from "../../support/threads.ts"
import type { RecapWords } from "./recap-words.ts"

/** How long the thread waits for another picture: it holds 30 MB, and beginning another takes most of a second. */
const patienceMs = 60_000

type Draw = (said: RecapWords) => Promise<Uint8Array>

/** What the thread answers. */
export type Drawn = { readonly png: Uint8Array } | { readonly error: string }

/**
 * Draws looks back as PNGs of 1200 by 630 pixels, the size that chats and networks show. It does so in a thread, which ends when
 * nobody has wanted a picture for a while.
 */
export function createRecapPictures(idleMs = patienceMs): Draw {
  let thread: Draw | undefined

  return async (said) => {
    thread ??= startThread(idleMs, () => {
      thread = undefined // the next picture begins another
    })
    return thread(said)
  }
}

function startThread(idleMs: number, onEnd: () => void): Draw {
  const worker: Worker & Partial<Pick<Bun.Worker, "unref">> = new Worker(threadUrl("formats/pictures/thread.ts"))
  worker.unref?.()
  const waiting: PromiseWithResolvers<Uint8Array>[] = []
  let idle: Timer | undefined
  worker.onmessage = ({ data }: MessageEvent<Drawn>) => {
    const next = waiting.shift()
    if ("png" in data) next?.resolve(data.png)
    else next?.reject(new Error(`a picture could not be drawn: ${data.error}`))
    if (waiting.length === 0) idle = setTimeout(end, idleMs).unref()
  }
  worker.onerror = ({ message }) => {
    onEnd()
    for (const { reject } of waiting.splice(0)) reject(new Error(`the thread that draws has ended: ${message}`))
  }
  const end = () => {
    onEnd()
    worker.terminate()
  }
  return (said) => {
    clearTimeout(idle)
    const drawn = Promise.withResolvers<Uint8Array>()
    waiting.push(drawn)
    worker.postMessage(said)
    return drawn.promise
  }
}
