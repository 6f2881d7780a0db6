/** The address with what is given of these values; what is empty is left out. */
export function withQuery(address: string, values: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) if (value) query.set(name, value)
  return query.size === 0 ? address : `${address}?${query}`
}
