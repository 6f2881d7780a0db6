import { useLayoutEffect, useMemo, useState } from "preact/hooks"
import { api } from "./server/api.ts"
import { createQuery } from "./server/query.ts"
import { request } from "./server/request.ts"
import { requestWithRetry } from "./server/retry.ts"

/** Somebody as lists show people. */
export type PersonSummary = Extract<
  Awaited<ReturnType<typeof api.api.v1.people.get>>,
  { error: null }
>["data"]["items"][number]

/** Who types on is not asked about yet. */
const pauseMs = 80
const size = "8"

/**
 * People by any part of their names, best first. Until the server has told who fits this text, those it told last who
 * still do: Enter never takes somebody who does not. Null when there is none of them.
 */
export function usePeopleSearch(text: string): readonly PersonSummary[] | null {
  const [found, setFound] = useState<{ readonly text: string; readonly people: readonly PersonSummary[] }>(nobody)
  useLayoutEffect(() => {
    const q = text.trim()
    if (q === "") return setFound(nobody)
    let isWanted = true
    const timer = setTimeout(async () => {
      const answer = await requestWithRetry(
        () => request(api.api.v1.people.get({ query: { q, size } })),
        () => isWanted,
      )
      if (isWanted && answer?.kind === "done") setFound({ text, people: answer.data.items })
    }, pauseMs)
    return () => {
      isWanted = false
      clearTimeout(timer)
    }
  }, [text])

  return useMemo(() => {
    if (found.text === text) return found.people
    const fitting = found.people.filter(({ name, username }) => matchesName(`${name} ${username}`, text))
    return fitting.length > 0 ? fitting : null
  }, [found, text])
}

const nobody = { text: "", people: [] }

/** Whether every word of the text begins a word of the name, without regard to case and accents. */
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

/** The departments that there are, with how many people each has. */
export const useDepartments = createQuery((_: null) => request(api.api.v1.departments.get()))
