import { refused } from "../support/answers.ts"
import type { Answer } from "../support/client.ts"
import { type Arena, inTurn } from "./arena.ts"

const requestsAtOnce = 50
const added: Answer = { status: 201, body: { message: "Transaction added" } }
const reused = refused(409, "This Idempotency-Key was used for another request")

/**
 * Has Ana send Bruno points fifty times at once under one key, at two servers, and something else under it then: it must
 * be done once, and answered the same each time. Returns what is wrong.
 */
export async function repeatAtOnce({ admin, ana }: Arena, round: number): Promise<string[]> {
  const value = 1 + (round % 1000)
  await admin.post("/transaction/ana/", { value })
  const headers = { "idempotency-key": `round ${round}` }
  const send = (turn: number, json: object) =>
    inTurn(ana, turn).call("POST", "/transaction/bruno/", { headers, json: { value, ...json } })
  const answers = await Promise.all(
    Array.from({ length: requestsAtOnce }, (_, turn) => send(turn, { reason: "Thanks" })),
  )
  const other = await send(round, { reason: "No thanks" })
  const { body } = await ana[0].get<{ balance: number }>("/user/ana/?show_balance=true")

  const isRight = answers.every((answer) => Bun.deepEquals(answer, added)) && Bun.deepEquals(other, reused)
  if (isRight && body.balance === 0) return []
  return [`repeats of round ${round}: ${body.balance} left, then ${JSON.stringify(other)}, ${JSON.stringify(answers)}`]
}
