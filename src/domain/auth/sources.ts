/**
 * The source of a request, for limits: an IPv4 address, or the /64 of an IPv6 address, since a provider gives each
 * customer a whole /64. An IPv4 address written as IPv6 counts as IPv4. Text that is no address is returned unchanged.
 */
export function sourceOf(address: string): string {
  if (!address.includes(":")) return address
  const groups = groupsOf(address)
  if (groups === null) return address
  const [, , , , , prefix, high = 0, low = 0] = groups
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && prefix === 0xffff
  if (isMapped) return [high >> 8, high & 255, low >> 8, low & 255].join(".")
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(":")}::/64`
}

/** The eight groups of an IPv6 address; null when the text is not an IPv6 address. */
function groupsOf(address: string): number[] | null {
  const [withoutZone = ""] = address.split("%", 1)
  // The URL parser accepts every notation and returns the shortest.
  const shortest = URL.parse(`http://[${withoutZone}]/`)?.hostname.slice(1, -1)
  if (shortest === undefined) return null
  const [left = [], right] = shortest.split("::").map(numbersOf)
  return right ? [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right] : left
}

const numbersOf = (text: string): number[] =>
  text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16))
