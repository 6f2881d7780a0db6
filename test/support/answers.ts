import type { Answer } from "./client.ts"

/** An error answer without headers. */
export const refused = (status: number, detail: string): Answer => ({ status, body: { detail } })

export const ok = (body: unknown): Answer => ({ status: 200, body })

const challenging = (detail: string): Answer => ({ ...refused(401, detail), headers: { "www-authenticate": "Bearer" } })

export const unauthenticated = challenging("Could not validate credentials")
/** The answer of /token; /login omits the challenge. */
export const badLogin = challenging("Incorrect username or password")
export const badSession = refused(401, "Invalid Session ID")
export const noSuchUser = refused(404, "User not found")

/** The report of an import that changes nothing. */
export const nothingImported = {
  created: 0,
  updated: 0,
  unchanged: 0,
  deactivated: [],
  reactivated: [],
  new_departments: [],
  errors: [],
}
