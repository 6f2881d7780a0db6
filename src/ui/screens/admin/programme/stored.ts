import { signal } from "@preact/signals"
import { type Answer, api, request } from "../../../server/api.ts"
import { onUserChange, type Programme, updateProgramme } from "../../../session.ts"

/** The programme as the server has it. */
export interface Stored {
  readonly programme: Programme
  /** Differs as soon as any field does: a change with an old one is refused. */
  readonly tag: string
}

/** What the server is known to have; null until it is loaded. */
export const stored = signal<Stored | null>(null)
onUserChange(() => {
  stored.value = null
})

const routes = api.api.v1.programme

export type ProgrammeChange = Parameters<typeof routes.patch>[0] & {}

export const load = (): Promise<Answer<Stored>> => withTag(routes.get())

/** Changes the programme, if it still has this tag. */
export const change = (changes: ProgrammeChange, tag: string): Promise<Answer<Stored>> =>
  withTag(routes.patch(changes, { headers: { "if-match": tag } }))

async function withTag(call: ReturnType<typeof routes.get>): Promise<Answer<Stored>> {
  const sent = Promise.resolve(call)
  const answer = await request(sent)
  if (answer.kind !== "done") return answer
  const { response } = await sent
  stored.value = { programme: answer.data, tag: response.headers.get("etag") ?? "*" }
  updateProgramme(answer.data)
  return { kind: "done", data: stored.value }
}
