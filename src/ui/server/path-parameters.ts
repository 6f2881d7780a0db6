/** An HTTP method ends a call chain of Eden; every other call in the chain passes path parameters. */
const methods = new Set<PropertyKey>(["get", "post", "put", "patch", "delete", "options", "head", "subscribe"])

/** Percent-encodes path parameters of an Eden client; Eden itself inserts them raw, slashes included. */
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
 * Encodes a path segment. URL parsers resolve `.` and `..` even when they are percent-encoded, so these two are encoded
 * twice: the server then looks for the username `%2E` and answers that there is none.
 */
function encodeSegment(text: string): string {
  return text === "." || text === ".." ? text.replaceAll(".", "%252E") : encodeURIComponent(text)
}
