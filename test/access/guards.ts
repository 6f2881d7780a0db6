import { createApi } from "../../src/http/api.ts"
import type { NamedGuard } from "../../src/http/guards.ts"
import { startTestServer } from "../support/server.ts"

/** The guards of all routes that name one, as in `GET /user/{username}/`, of a server with these settings. */
export async function guardsOf(
  settings: Readonly<Record<string, string>> = {},
): Promise<ReadonlyMap<string, NamedGuard>> {
  await using server = await startTestServer({ settings })
  const unused = () => {
    throw new Error("nobody sends requests")
  }
  const parts = await createApi({ app: server.app, arrival: unused }).parts()
  const guards = new Map<string, NamedGuard>()
  for (const { method, path, hooks } of parts.flatMap(({ routes }) => routes))
    if ("guard" in hooks) guards.set(`${method} ${path.replaceAll(/:(\w+)/g, "{$1}")}`, hooks.guard as NamedGuard)
  return guards
}
