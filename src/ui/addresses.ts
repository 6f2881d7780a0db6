import type { TextChunk } from "./texts/texts.ts"

/** Every address of the app as a route pattern. The server answers each of them with the HTML page of the app. */
export const addresses = {
  home: "/",
  login: "/login",
  forgot: "/forgot",
  reset: "/reset-password",
  people: "/people",
  person: "/people/:username",
  recognition: "/recognition/:id",
  history: "/history",
  leaderboard: "/leaderboard",
  team: "/team",
  recap: "/recap",
  recapOf: "/recap/:period",
  rewards: "/rewards",
  wall: "/wall",
  me: "/me",
  admin: "/admin",
  adminNew: "/admin/new",
  adminImport: "/admin/import",
  adminRewards: "/admin/rewards",
  adminServer: "/admin/server",
  adminAllowances: "/admin/allowances",
  adminDepartments: "/admin/departments",
  adminTokens: "/admin/tokens",
  adminWebhooks: "/admin/webhooks",
  adminInsights: "/admin/insights",
  adminProgramme: "/admin/programme",
  account: "/admin/people/:username",
} as const

/** The module of the screen at each address, so that the HTML page can preload it. */
export const screenModules = {
  home: "screens/home/home.tsx",
  login: "screens/login.tsx",
  forgot: "screens/forgot.tsx",
  reset: "screens/reset.tsx",
  people: "screens/people.tsx",
  person: "screens/person/person.tsx",
  recognition: "screens/recognition.tsx",
  history: "screens/history/history.tsx",
  leaderboard: "screens/leaderboard.tsx",
  team: "screens/team/team.tsx",
  recap: "screens/recap/recap.tsx",
  recapOf: "screens/recap/recap.tsx",
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
  adminProgramme: "screens/admin/programme/programme.tsx",
  account: "screens/admin/account.tsx",
} as const satisfies Record<keyof typeof addresses, string>

/** The texts that each screen needs besides `main`. They are loaded with its module. */
export const screenTexts: Readonly<Record<keyof typeof addresses, readonly TextChunk[]>> = {
  home: [],
  login: ["profile"],
  forgot: ["pages"],
  reset: ["shared"],
  people: ["people"],
  person: [],
  recognition: ["people"],
  history: ["pages"],
  leaderboard: ["pages"],
  team: ["pages"],
  recap: ["pages"],
  recapOf: ["pages"],
  rewards: ["shared"],
  wall: ["pages"],
  me: ["profile", "shared"],
  admin: ["admin", "shared"],
  adminNew: ["admin", "shared"],
  adminImport: ["rare", "shared"],
  adminRewards: ["shared"],
  adminServer: ["admin"],
  adminAllowances: ["admin"],
  adminDepartments: ["admin"],
  adminTokens: ["shared"],
  adminWebhooks: ["admin", "shared"],
  adminInsights: ["rare"],
  adminProgramme: ["rare"],
  account: ["admin", "shared"],
}

export const personAddress = (username: string): string => `/people/${encodeURIComponent(username)}`

export const recognitionAddress = (id: number | string): string => `/recognition/${encodeURIComponent(id)}`

/** The address of a person's account, for superusers. */
export const accountAddress = (username: string): string => `/admin/people/${encodeURIComponent(username)}`

/** Adds query parameters to an address; leaves out empty ones. */
export function withQuery(address: string, values: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) if (value) query.set(name, value)
  return query.size === 0 ? address : `${address}?${query}`
}
