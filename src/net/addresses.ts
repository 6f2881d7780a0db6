/** `node:net`, loaded on first use: it takes 2 ms, and a server with default settings starts without it. */
export const net = () => process.getBuiltinModule("node:net")

export const isIpAddress = (host: string): boolean => net().isIP(host) > 0

/** Whether only this machine can reach a server on `host`: a name, or an address with or without brackets. */
export const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || host === "[::1]" || /^127(\.\d{1,3}){3}$/.test(host)

/**
 * Whether an address is in one of these ranges, such as `10.0.0.0/8`. An IPv4 address inside an IPv6 one does not count as
 * that address.
 */
export function rangesOf(ranges: readonly string[]): (address: string) => boolean {
  const load = () => {
    const { BlockList } = net()
    const lists = { ipv4: new BlockList(), ipv6: new BlockList() }
    for (const range of ranges) {
      const [address = "", prefix] = range.split("/")
      const family = familyOf(address)
      lists[family].addSubnet(address, Number(prefix ?? (family === "ipv6" ? 128 : 32)), family)
    }
    return lists
  }
  let lists: ReturnType<typeof load> | undefined
  return (address) => {
    lists ??= load()
    const family = familyOf(address)
    return isIpAddress(address) && lists[family].check(address, family)
  }
}

const familyOf = (address: string) => (net().isIPv6(address) ? "ipv6" : "ipv4")

/** Whether an address belongs to a network of its own: this machine, a company, a link. Whatever else it is, it is public. */
export const isPrivate = rangesOf([
  ..."10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.168.0.0/16".split(" "),
  ..."::1/128 fc00::/7 fe80::/10".split(" "),
])
