/** The name that the system's list of users (`/etc/passwd`) has for an id; null where it has none. */
export const nameIn = (list: string, uid: number): string | null =>
  list
    .split("\n")
    .map((line) => line.split(":"))
    .find(([, , id]) => id === `${uid}`)?.[0] ?? null
