import type { Account } from "../session.ts"
import { type Answer, asked } from "./ask.ts"
import { sessionEnded } from "./session-ended.ts"

/** Has the server keep the own picture and show it. The typed client would make a form of it. */
export async function putPicture(picture: Blob): Promise<Answer<Account>> {
  const answer = await asked<Account>(fetch("/api/v1/me/avatar", { method: "PUT", body: picture }))
  if (answer.kind === "refused" && answer.status === 401) sessionEnded.value = true
  return answer
}
