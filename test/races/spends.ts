import { refused } from "../support/answers.ts"
import type { Answer } from "../support/client.ts"
import { type Arena, inTurn } from "./arena.ts"

const spendersAtOnce = 8
const added: Answer = { status: 201, body: { message: "Transaction added" } }

/**
 * Gives Ana some points and has them spent eight times at once, at two servers: one spend must win, the others are
 * refused, and nothing is left. Returns what is wrong.
 */
export async function spendAtOnce({ admin, ana }: Arena, round: number): Promise<string[]> {
  const value = 1 + (round % 1000)
  const granted = await admin.post("/transaction/ana/", { value })
  const spend = (turn: number) => inTurn(ana, turn).post("/transaction/bruno/", { value })
  const answers = await Promise.all(Array.from({ length: spendersAtOnce }, (_, turn) => spend(turn)))
  const { status, body } = await ana[0].get<{ balance: number }>("/user/ana/?show_balance=true")

  const told = (expected: Answer) => answers.filter((answer) => Bun.deepEquals(answer, expected)).length
  const counted = {
    granted,
    added: told(added),
    refused: told(refused(400, "Insufficient balance")),
    left: body.balance,
  }
  const expected = { granted: added, added: 1, refused: spendersAtOnce - 1, left: 0 }
  const isRight = status === 200 && Bun.deepEquals(counted, expected)
  return isRight ? [] : [`spends of round ${round}: ${JSON.stringify(counted)}, answers ${JSON.stringify(answers)}`]
}
