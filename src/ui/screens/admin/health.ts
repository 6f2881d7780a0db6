import { useLayoutEffect } from "preact/hooks"
import { now } from "../../dates.ts"
import { api } from "../../server/api.ts"
import { question } from "../../server/query.ts"
import { ask } from "../../server/request.ts"

/** How the server fares, as it tells superusers. */
export type Health = Extract<Awaited<ReturnType<typeof api.api.v1.health.get>>, { error: null }>["data"]

const useQuestion = question((_: null) => ask(api.api.v1.health.get()))

export const healthAhead = () => useQuestion.ahead(null)

/** Asked again each half minute, as long as somebody looks. */
export function useHealth() {
  const told = useQuestion(null)
  const tick = now.value
  useLayoutEffect(() => void told.refresh(), [tick])
  return told
}
