interface Route {
  readonly method: string
  readonly path: string
}

/** The methods that a path has, for 405 and its `Allow`; empty when no route has this path. */
export function createAllowedMethods(routes: () => readonly Route[]): (path: string) => string[] {
  let known: { method: string; pattern: RegExp }[] | undefined

  return (path) => {
    known ??= routes()
      .filter(({ method }) => method !== "OPTIONS")
      .map((route) => ({ method: route.method, pattern: patternOf(route.path) }))
    const methods = new Set(known.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method))
    return methods.has("GET") ? ["HEAD", ...methods] : [...methods]
  }
}

/** Either slash form; a parameter is one segment. */
const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replace(/\/$/, "").replace(/:\w+/g, "[^/]+").replaceAll("*", ".*")}/?$`)
