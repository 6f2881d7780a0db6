import { api, request } from "../../server/api.ts"
import { createQuery, useAutoRefresh } from "../../server/query.ts"

/** The health report for superusers. */
export type Health = Extract<Awaited<ReturnType<typeof api.api.v1.health.get>>, { error: null }>["data"]

const useHealthQuery = createQuery((_: null) => request(api.api.v1.health.get()))

export const prefetchHealth = () => useHealthQuery.prefetch(null)

/** The health report, reloaded regularly while the page is visible. */
export function useHealth() {
  const health = useHealthQuery(null)
  useAutoRefresh(health.refresh)
  return health
}
