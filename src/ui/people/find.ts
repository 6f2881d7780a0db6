import { api } from "../server/api.ts"
import { ask } from "../server/ask.ts"

/** Somebody as lists show people. */
export type Face = Extract<Awaited<ReturnType<typeof api.api.v1.people.get>>, { error: null }>["data"]["items"][number]

/** Who types on is not asked about yet. */
const pauseMs = 80
const size = "8"

/** Looks for people by any part of their names, best first; tells nothing more after `stop`. Without a text: nobody. */
export function findPeople(text: string, onFound: (people: readonly Face[]) => void) {
  const q = text.trim()
  let isWanted = true
  const timer = setTimeout(async () => {
    const answer = q === "" ? null : await ask(api.api.v1.people.get({ query: { q, size } }))
    if (isWanted && answer?.kind === "done") onFound(answer.data.items)
    else if (isWanted && answer === null) onFound([])
  }, pauseMs)
  return {
    stop() {
      isWanted = false
      clearTimeout(timer)
    },
  }
}
