type Environment = Readonly<Record<string, string | undefined>>

/** The proxy that the environment names for a URL, as `fetch` reads it; null when there is none, or NO_PROXY has the host. */
export function proxyFor({ protocol, hostname, host }: URL, environment: Environment = process.env): string | null {
  const of = (name: string) => environment[name.toLowerCase()] || environment[name] || null
  const exceptions = (of("NO_PROXY") ?? "").split(",").map((one) => one.trim().toLowerCase().replace(/^\./, ""))
  const isException = (one: string) => one !== "" && (one === "*" || [hostname, host].some((own) => isWithin(own, one)))
  return exceptions.some(isException) ? null : of(protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY")
}

const isWithin = (host: string, domain: string): boolean => host === domain || host.endsWith(`.${domain}`)
