import { isSafe } from "../../parts/avatar.tsx"

/** Whether the page may show pictures from this address: what the server's policy would let through. */
export function isShown(address: string, hosts: readonly string[]): boolean {
  const url = URL.parse(address, location.origin)
  if (url === null || !/^https?:$/.test(url.protocol) || !isSafe(address)) return false
  if (url.origin === location.origin || hosts.includes("*")) return true
  return hosts.some((host) => (host.startsWith("*.") ? url.host.endsWith(host.slice(1)) : url.host === host))
}
