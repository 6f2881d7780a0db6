import { api } from "../server/api.ts"
import { type Answer, ask } from "../server/ask.ts"
import { departmentOf, type Gift, personsOf } from "./gift.ts"

/** After so long without an answer it is not known whether the gift arrived. */
const patienceMs = 10_000

/** After so long without a preview the question is asked with what the app itself knows. */
const previewPatienceMs = 3000

/** The transactions that a gift became, in ascending order of their ids. */
interface Given {
  readonly ids: readonly number[]
}

/** Gives under `key`: however often it is sent, it is given once. Nobody or everybody gets it. */
export async function send(gift: Gift, key: string): Promise<Answer<Given>> {
  const sent = { headers: { "idempotency-key": key }, fetch: { signal: AbortSignal.timeout(patienceMs) } }
  const [one, another] = gift.to
  if (one?.kind !== "person" || another !== undefined)
    return given(await ask(api.api.v1.grants.post(manyOf(gift), sent)), ({ ids }) => ids)
  const body = { ...whatOf(gift), to: one.username }
  return given(await ask(api.api.v1.transactions.post(body, sent)), ({ id }) => [id])
}

/** A success that names no transaction does not come from this server, but from something before it. */
function given<T>(answer: Answer<T>, idsOf: (data: T) => readonly unknown[]): Answer<Given> {
  if (answer.kind !== "done") return answer
  const told: unknown = answer.data
  const ids = typeof told === "object" && told !== null ? (idsOf(answer.data) ?? []) : []
  const isTold = ids.length > 0 && ids.every((id) => typeof id === "number")
  return isTold ? { kind: "done", data: { ids } } : { kind: "unreachable" }
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
