/** The last step of a request in Eden's chain; every other call in it fills in a path parameter. */
const methods = new Set<PropertyKey>(["get", "post", "put", "patch", "delete", "options", "head", "subscribe"])

/** Percent-encodes what an Eden client puts into a path: Eden itself puts it there as it is, slashes and all. */
export function encodePathParameters<Client extends object>(client: Client): Client {
  return new Proxy(client, {
    get: (target, key, receiver) => {
      const next: unknown = Reflect.get(target, key, receiver)
      return typeof next === "function" && !methods.has(key) ? encodePathParameters(next) : next
    },
    apply: (target, self, [parameters]: [Readonly<Record<string, string | number>>]) => {
      const encoded = Object.entries(parameters).map(([name, value]) => [name, encodeSegment(String(value))])
      return encodePathParameters(Reflect.apply(target as never, self, [Object.fromEntries(encoded)]))
    },
  })
}

/**
 * A path segment that stands for `text`. URL parsers resolve `.` and `..` even when they are percent-encoded, so these
 * two are encoded twice: the server then looks for `%2E`, which is nobody's username, and answers that there is none.
 */
export function encodeSegment(text: string): string {
  return text === "." || text === ".." ? text.replaceAll(".", "%252E") : encodeURIComponent(text)
}
