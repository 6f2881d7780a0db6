/**
 * What counts as one source of requests: an IPv4 address, however it is written, or the 64 bits of an IPv6 address that a
 * provider gives to one customer, who has every address below them. What is no address is its own source.
 */
export function sourceOf(address: string): string {
  if (!address.includes(":")) return address
  const groups = groupsOf(address)
  if (groups === null) return address
  const [, , , , , mark, high = 0, low = 0] = groups
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && mark === 0xffff
  if (isMapped) return [high >> 8, high & 255, low >> 8, low & 255].join(".")
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(":")}::/64`
}

/** The eight numbers of an IPv6 address; null when it is none. */
function groupsOf(address: string): number[] | null {
  const [bare = ""] = address.split("%", 1)
  // The parser of URLs knows every way to write one, and gives the shortest.
  const short = URL.parse(`http://[${bare}]/`)?.hostname.slice(1, -1)
  if (short === undefined) return null
  const [left = [], right] = short.split("::").map(numbersOf)
  return right ? [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right] : left
}

const numbersOf = (text: string): number[] =>
  text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16))
