import { useLayoutEffect, useMemo, useState } from "preact/hooks"
import { api, request } from "./server/api.ts"
import { createQuery } from "./server/query.ts"
import { requestWithRetry, untilCleanup } from "./server/retry.ts"

/** A person as in the list of people. */
export type PersonSummary = Extract<
  Awaited<ReturnType<typeof api.api.v1.people.get>>,
  { error: null }
>["data"]["items"][number]

/** Members of this department are superusers, so it cannot be renamed. */
export const management = "management"

/** The account that every installation starts with. It cannot be deactivated. */
export const adminUsername = "admin"

/** Waits for a pause in typing before each request. */
const pauseMs = 80
const size = "8"

/**
 * People whose names match the text, best first. `all`, for superusers, includes people who left. Until the server
 * answers, returns the people of the previous answer who still match, so that Enter never picks anybody else; null if
 * there are none.
 */
export function usePeopleSearch(text: string, active: "active" | "all" = "active"): readonly PersonSummary[] | null {
  const [results, setFound] = useState<{ readonly text: string; readonly people: readonly PersonSummary[] }>(nobody)
  useLayoutEffect(() => {
    const q = text.trim()
    if (q === "") return setFound(nobody)
    return untilCleanup(async (isWanted) => {
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
      if (!isWanted()) return
      const answer = await requestWithRetry(
        () => request(api.api.v1.people.get({ query: { q, size, ...(active === "all" && { active }) } })),
        isWanted,
      )
      if (isWanted() && answer?.kind === "done") setFound({ text, people: answer.data.items })
    })
  }, [text])

  return useMemo(() => {
    if (results.text === text) return results.people
    const stillMatching = results.people.filter(({ name, username }) => matchesName(`${name} ${username}`, text))
    return stillMatching.length > 0 ? stillMatching : null
  }, [results, text])
}

const nobody = { text: "", people: [] }

/**
 * Whether every word of the text is the beginning of a word of the name, ignoring case and accents. Stricter than the
 * server and the receiver picker, which find any part of a name: two letters in the palette would otherwise match most
 * screens and actions.
 */
export function matchesName(name: string, text: string): boolean {
  const words = wordsIn(name)
  return wordsIn(text).every((typed) => words.some((word) => word.startsWith(typed)))
}

const wordsIn = (text: string): string[] =>
  text
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)

const useName = createQuery(async (username: string | null) => {
  if (username === null) return { kind: "done" as const, data: "" }
  const answer = await request(api.api.v1.people({ username }).get())
  return answer.kind === "done" ? { kind: "done" as const, data: answer.data.name } : answer
})

/** Loads the name for `useNameOf` before the first render. */
export const prefetchName = (username: string | null) => useName.prefetch(username)

/** A person's name, or the username if the name fails to load; null until it is known. */
export function useNameOf(username: string | null): string | null {
  const { data, failure, isStale } = useName(username)
  if (failure !== null) return username
  return isStale ? null : data
}

/** The departments, each with its number of active people; for "false", with the number of people who left. */
export const useDepartments = createQuery((active: "false" | null) =>
  request(api.api.v1.departments.get({ query: active === null ? {} : { active } })),
)
