interface Route {
  readonly method: string
  readonly path: string
}

/** Whether a path belongs to the interface beyond the contract. */
export const isV1 = (path: string): boolean => path.startsWith("/api/v1/")

/** The WebSocket of transactions. */
export const streamPath = "/transaction/ws"

/** A pattern for the paths that a route answers, with and without the trailing slash; a parameter is one segment. */
export const pathPattern = (path: string): RegExp =>
  new RegExp(`^${path.replace(/\/$/, "").replace(/:\w+/g, "[^/]+").replaceAll("*", ".*")}/?$`)

/** Finds the route of a path, such as `/user/:username/`, for metrics; null when no route has this path. */
export function createRouteOf(routes: readonly Route[]): (path: string) => string | null {
  const paths = [...new Set(routes.filter(isNotPreflight).map(({ path }) => path))]
  const isFixed = (path: string) => !/[:*]/.test(path)
  const fixed = new Map(paths.filter(isFixed).flatMap((path) => slashForms(path).map((form) => [form, path])))
  const patterns = paths.filter((path) => !isFixed(path)).map((path) => ({ path, pattern: pathPattern(path) }))

  return (path) => fixed.get(path) ?? patterns.find(({ pattern }) => pattern.test(path))?.path ?? null
}

/** Lists the methods of a path, for 405 and its `Allow` header; empty when no route has this path. `routes` is read on
 *  first use, when all of them are registered. */
export function createAllowedMethods(routes: () => readonly Route[]): (path: string) => string[] {
  let known: { method: string; pattern: RegExp }[] | undefined

  return (path) => {
    known ??= routes()
      .filter(isNotPreflight)
      .map((route) => ({ method: route.method, pattern: pathPattern(route.path) }))
    const methods = new Set(known.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method))
    return methods.has("GET") ? ["HEAD", ...methods] : [...methods]
  }
}

/** The CORS plugin registers `OPTIONS /*`, which would match every unknown path. */
const isNotPreflight = ({ method }: Route): boolean => method !== "OPTIONS"

function slashForms(path: string): string[] {
  const bare = path.replace(/\/$/, "")
  return [bare, `${bare}/`]
}
