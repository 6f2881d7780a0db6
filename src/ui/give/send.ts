import { api } from "../server/api.ts"
import { type Answer, ask } from "../server/ask.ts"
import { departmentOf, type Gift, personsOf } from "./gift.ts"

/** After so long without an answer it is not known whether the gift arrived. */
const patienceMs = 10_000

/** After so long without a preview the question is asked with what the app itself knows. */
const previewPatienceMs = 3000

/** Gives under `key`: however often it is sent, it is given once. Nobody or everybody gets it. */
export async function send(gift: Gift, key: string): Promise<Answer<unknown>> {
  const sent = { headers: { "idempotency-key": key }, fetch: { signal: AbortSignal.timeout(patienceMs) } }
  const [one, another] = gift.to
  if (one?.kind === "person" && another === undefined)
    return ask<unknown>(api.transaction({ username: one.username }).post(whatOf(gift), sent))
  return ask<unknown>(api.api.v1.grants.post(manyOf(gift), sent))
}

/** What giving to several would do, as the server sees it now. */
export const preview = (gift: Gift) =>
  ask(
    api.api.v1.grants.post(manyOf(gift), {
      query: { dry_run: "true" },
      fetch: { signal: AbortSignal.timeout(previewPatienceMs) },
    }),
  )

const whatOf = ({ value, reason, tags, isPrivate }: Gift) => ({
  value,
  ...(reason !== "" && { reason }),
  ...(tags.length > 0 && { tags: [...tags] }),
  ...(isPrivate && { private: true }),
})

function manyOf(gift: Gift) {
  const department = departmentOf(gift)
  return {
    ...whatOf(gift),
    usernames: personsOf(gift).map(({ username }) => username),
    ...(department !== null && { dept: department.name }),
  }
}
