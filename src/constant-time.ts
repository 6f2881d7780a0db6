/** Compares two texts in a time that does not depend on where they differ. */
export function isEqualInConstantTime(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)]
  return first.length === second.length && crypto.timingSafeEqual(first, second)
}
