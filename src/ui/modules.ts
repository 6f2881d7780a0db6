import type { addresses } from "./addresses.ts"

/**
 * The module of each screen, so that the HTML page can preload it. Addresses that are missing here have no screen of
 * their own.
 */
export const screenModules = {
  home: "screens/home/home.tsx",
  login: "screens/login.tsx",
  forgot: "screens/forgot.tsx",
  reset: "screens/reset.tsx",
  people: "screens/people.tsx",
  person: "screens/person.tsx",
  recognition: "screens/recognition.tsx",
  history: "screens/history/history.tsx",
  leaderboard: "screens/leaderboard.tsx",
  rewards: "screens/rewards/rewards.tsx",
  wall: "screens/wall/wall.tsx",
  me: "screens/me/me.tsx",
  admin: "screens/admin/administration.tsx",
  adminNew: "screens/admin/create.tsx",
  adminImport: "screens/admin/import.tsx",
  adminRewards: "screens/admin/rewards.tsx",
  adminServer: "screens/admin/server.tsx",
  adminAllowances: "screens/admin/allowances.tsx",
  adminDepartments: "screens/admin/departments.tsx",
  adminTokens: "screens/admin/tokens.tsx",
  adminWebhooks: "screens/admin/webhooks.tsx",
  adminInsights: "screens/admin/insights.tsx",
  account: "screens/admin/account.tsx",
} as const satisfies Partial<Record<keyof typeof addresses, string>>
