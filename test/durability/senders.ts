import { bearer, type Company, type Member } from "./company.ts"

/** One request to send points. Its value is unique and identifies its transaction. */
export interface Attempt {
  readonly sender: string
  readonly receiver: string
  readonly value: number
  /** Acknowledged: answered 201. Refused: answered 400, 404 or 503. Unknown: not answered. */
  readonly outcome: "acknowledged" | "refused" | "unknown"
  /** Milliseconds since the epoch. */
  readonly sentMs: number
  readonly answeredMs: number
}

/** More than any regular user can have. */
const beyondAnyBalance = 1_000_000_000

/**
 * Runs `count` concurrent senders, each sending one transfer after another, until the server at `url` no longer answers
 * or `stop` aborts. Their values are above `sentBefore`. Some of the transfers are more than the sender has, so that they must be refused.
 */
export async function sendUntilUnanswered(
  url: string,
  { members }: Company,
  count: number,
  stop?: AbortSignal,
  sentBefore = 0,
): Promise<Attempt[]> {
  const attempts: Attempt[] = []
  let value = sentBefore

  const sendOn = async () => {
    for (let silent = false; !silent && !stop?.aborted; ) {
      value += 1
      const attempt = await send(url, plan(members, value))
      attempts.push(attempt)
      silent = attempt.outcome === "unknown"
    }
  }
  await Promise.all(Array.from({ length: count }, sendOn))
  return attempts
}

interface Plan {
  readonly sender: Member
  readonly receiver: string
  readonly value: number
}

function plan(members: readonly Member[], value: number): Plan {
  const [sender, receiver] = [anyOf(members), anyOf(members)]
  const chance = Math.random()
  if (chance < 0.05) return { sender, receiver: "nobody", value }
  if (chance < 0.15 && !sender.isSuperuser)
    return { sender, receiver: receiver.username, value: beyondAnyBalance + value }
  return { sender, receiver: receiver.username, value }
}

async function send(url: string, { sender, receiver, value }: Plan): Promise<Attempt> {
  const sentMs = Date.now()
  const outcome = await fetch(`${url}/transaction/${receiver}/`, {
    method: "POST",
    headers: { ...bearer(sender), "content-type": "application/json" },
    body: JSON.stringify({ value }),
  }).then(outcomeOf, () => "unknown" as const)
  return { sender: sender.username, receiver, value, outcome, sentMs, answeredMs: Date.now() }
}

function outcomeOf({ status }: Response): Attempt["outcome"] {
  if (status === 201) return "acknowledged"
  if (status === 400 || status === 404 || status === 503) return "refused"
  throw new Error(`the server answered ${status}`)
}

function anyOf<T>(all: readonly T[]): T {
  const one = all[Math.floor(Math.random() * all.length)]
  if (one === undefined) throw new Error("there is none")
  return one
}
