import { fieldsOf } from "../chat/chat.ts"
import type { GiveJob } from "../chat/give-job.ts"

/** A `GiveJob` in the words of version 0.1.0, whose processes may run beside this one and take the same jobs. */
export const stored = ({ giver, to, ...job }: GiveJob) => ({
  ...job,
  slackUser: giver,
  to: "id" in to ? { slackUser: to.id } : to,
})

/** The payload that `stored` made, as a `GiveJob` to be checked. */
export function restored(payload: unknown): object {
  const { slackUser, to, ...job } = fieldsOf(payload)
  const { slackUser: id, ...name } = fieldsOf(to)
  return { ...job, giver: slackUser, to: id === undefined ? name : { id } }
}
