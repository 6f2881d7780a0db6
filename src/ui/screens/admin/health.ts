import { api, request } from "../../server/api.ts"
import { createQuery, useAutoRefresh } from "../../server/query.ts"

/** The health report for superusers. */
export type Health = Extract<Awaited<ReturnType<typeof api.api.v1.health.get>>, { error: null }>["data"]

/**
 * `unwell`: the server cannot do its work. `noted`: it can, but one of the details is something that somebody should
 * look at.
 */
export function verdictOn({ ready, backup, checks, discarded_jobs }: Health): "well" | "noted" | "unwell" {
  if (!ready) return "unwell"
  const hasNoSchedule = "backup" in checks && backup.every_hours === 0
  const isRefused = Object.values(checks).some(({ ok }) => !ok)
  return hasNoSchedule || isRefused || discarded_jobs.count > 0 ? "noted" : "well"
}

const useHealthQuery = createQuery((_: null) => request(api.api.v1.health.get()))

export const prefetchHealth = () => useHealthQuery.prefetch(null)

/** The health report, reloaded regularly while the page is visible. */
export function useHealth() {
  const health = useHealthQuery(null)
  useAutoRefresh(health.refresh)
  return health
}
