import type { addresses } from "./addresses.ts"

/** Where the screen of each address is, for the page to begin loading it. Addresses without one have none of their own. */
export const screenModules = {
  home: "screens/home/home.tsx",
  login: "screens/login/login.tsx",
  forgot: "screens/forgot/forgot.tsx",
  reset: "screens/reset/reset.tsx",
  people: "screens/people/people.tsx",
  person: "screens/person/person.tsx",
  history: "screens/history/history.tsx",
  leaderboard: "screens/leaderboard/leaderboard.tsx",
  wall: "screens/wall/wall.tsx",
  me: "screens/me/me.tsx",
  admin: "screens/admin/administration.tsx",
  adminNew: "screens/admin/create.tsx",
  adminImport: "screens/admin/import.tsx",
  adminServer: "screens/admin/server.tsx",
  account: "screens/admin/account.tsx",
} as const satisfies Partial<Record<keyof typeof addresses, string>>
