import { isOfInterface, type Route, shapeOf } from "./paths.ts"

/** The methods that a path has, for 405 and its `Allow`; empty when no route has this path. */
export function createAllowedMethods(routes: () => readonly Route[]): (path: string) => string[] {
  let known: { method: string; shape: RegExp }[] | undefined

  return (path) => {
    known ??= routes()
      .filter(isOfInterface)
      .map((route) => ({ method: route.method, shape: shapeOf(route.path) }))
    const methods = new Set(known.filter(({ shape }) => shape.test(path)).map(({ method }) => method))
    return methods.has("GET") ? ["HEAD", ...methods] : [...methods]
  }
}
