import { useLayoutEffect } from "preact/hooks"
import { now } from "../../dates.ts"
import { api } from "../../server/api.ts"
import { createQuery } from "../../server/query.ts"
import { request } from "../../server/request.ts"

/** The health report for superusers. */
export type Health = Extract<Awaited<ReturnType<typeof api.api.v1.health.get>>, { error: null }>["data"]

const useHealthQuery = createQuery((_: null) => request(api.api.v1.health.get()))

export const prefetchHealth = () => useHealthQuery.prefetch(null)

/** Refreshes every 30 seconds while the page is visible. */
export function useHealth() {
  const health = useHealthQuery(null)
  const tick = now.value
  useLayoutEffect(() => void health.refresh(), [tick])
  return health
}
