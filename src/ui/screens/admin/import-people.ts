import type { api } from "../../server/api.ts"
import { type Answer, asked } from "../../server/ask.ts"
import { sessionEnded } from "../../server/session-ended.ts"

/** What an import did, or would do. */
export type ImportTold = Extract<Awaited<ReturnType<(typeof api.api.v1.users.import)["post"]>>, { error: null }>["data"]

interface ImportOptions {
  /** Changes nothing. */
  readonly dryRun: boolean
  /** Mails to everybody who is new a way to a password. */
  readonly invite: boolean
}

/** Sends the file as it is: read as text, what is no UTF-8 would be replaced before the server can say so. */
export async function importPeople(file: File, { dryRun, invite }: ImportOptions): Promise<Answer<ImportTold>> {
  const answer = await asked<ImportTold>(
    fetch(`/api/v1/users/import?dry_run=${dryRun}&invite=${invite}`, {
      method: "POST",
      headers: { "content-type": "text/csv" },
      body: await file.arrayBuffer(),
    }),
  )
  if (answer.kind === "refused" && answer.status === 401) sessionEnded.value = true
  return answer
}
