import { Elysia } from "elysia"
import { version } from "../../../../package.json" with { type: "json" }
import { freeBytesAt } from "../../../health.ts"
import type { ServerApp } from "../../../server-app.ts"
import { credentials, describe, one } from "../../documented.ts"
import type { doors } from "../../guards.ts"
import { ProtectedQuery } from "../../schemas.ts"
import { healthView } from "../../v1/health.ts"

interface Dependencies {
  readonly app: Pick<ServerApp, "backups" | "clock" | "config" | "people" | "readiness" | "store">
  readonly door: ReturnType<typeof doors>
}

/** How this server fares, for superusers: what `/readyz` tells, and what a person wants to know besides. */
export function accountOfHealthRoutes({ app, door }: Dependencies) {
  const { backups, clock, config, people, readiness, store } = app
  const startedAt = clock()

  return new Elysia().use(door).get(
    "/api/v1/health",
    async () =>
      healthView({
        version,
        startedAt,
        findings: await readiness(),
        vitals: await store.health.read(clock()),
        backup: backups.state(),
        freeBytes: await freeBytesAt(config.db.path),
        departments: await people.departments(),
        sendsMail: !config.email.debug_mode,
      }),
    {
      superusers: true,
      query: ProtectedQuery,
      detail: describe("App", "How this server fares (superusers)", 200, one("Health"), [
        ...credentials,
        "not_superuser",
        "invalid",
      ]),
    },
  )
}
