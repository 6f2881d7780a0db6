export interface Route {
  readonly method: string
  readonly path: string
}

/** The WebSocket of transactions. */
export const streamPath = "/transaction/ws"

/** Which paths a route answers: either slash form; a parameter is one segment. */
export const shapeOf = (path: string): RegExp =>
  new RegExp(`^${path.replace(/\/$/, "").replace(/:\w+/g, "[^/]+").replaceAll("*", ".*")}/?$`)

/** Cross-origin questions are answered for every path there is or is not. */
export const isOfInterface = ({ method }: Route): boolean => method !== "OPTIONS"

/** The route that a path belongs to, as in `/user/:username/`; null when there is none. */
export function createRouteOf(routes: readonly Route[]): (path: string) => string | null {
  const paths = [...new Set(routes.filter(isOfInterface).map(({ path }) => path))]
  const isFixed = (path: string) => !/[:*]/.test(path)
  const fixed = new Map(paths.filter(isFixed).flatMap((path) => slashForms(path).map((form) => [form, path])))
  const shaped = paths.filter((path) => !isFixed(path)).map((path) => ({ path, shape: shapeOf(path) }))

  return (path) => fixed.get(path) ?? shaped.find(({ shape }) => shape.test(path))?.path ?? null
}

function slashForms(path: string): string[] {
  const bare = path.replace(/\/$/, "")
  return [bare, `${bare}/`]
}
