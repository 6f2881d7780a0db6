import { refused } from "../support/answers.ts"
import { type Answer, createClient } from "../support/client.ts"
import { alternate, type TwoServers } from "./servers.ts"

/** Runs one round of a race. Returns what went wrong. */
export type Round = (servers: TwoServers, round: number) => Promise<string[]>

const added: Answer = { status: 201, body: { message: "Transaction added" } }

const spendsAtOnce = 8

/** Ana gets some points and spends all of them eight times at once: one transfer succeeds, the others are refused, and her
 *  balance is zero. */
export const spendAtOnce: Round = async ({ admin, ana }, round) => {
  const value = 1 + (round % 1000)
  const granted = await admin.post("/transaction/ana/", { value })
  const spend = (index: number) => alternate(ana, index).post("/transaction/bruno/", { value })
  const answers = await Promise.all(Array.from({ length: spendsAtOnce }, (_, index) => spend(index)))
  const { status, body } = await ana[0].get<{ balance: number }>("/user/ana/?show_balance=true")

  const countOf = (expected: Answer) => answers.filter((answer) => Bun.deepEquals(answer, expected)).length
  const outcome = {
    granted,
    added: countOf(added),
    refused: countOf(refused(400, "Insufficient balance")),
    left: body.balance,
  }
  const expected = { granted: added, added: 1, refused: spendsAtOnce - 1, left: 0 }
  const isRight = status === 200 && Bun.deepEquals(outcome, expected)
  return isRight ? [] : [`spends of round ${round}: ${JSON.stringify(outcome)}, answers ${JSON.stringify(answers)}`]
}

const usesAtOnce = 50
const notAllowed = refused(403, "You are not allowed to change this user's password")

/** One reset token is used fifty times at once, each time for another password: one use succeeds, and only its password logs
 *  Ana in. */
export const resetAtOnce: Round = async ({ urls, resetToken }, round) => {
  const path = `/user/ana/password/?pwd_reset_token=${await resetToken()}`
  const passwordOf = (index: number) => `password ${index} of round ${round}`
  const use = (index: number) => {
    const password = passwordOf(index)
    return createClient(alternate(urls, index)).post(path, { password, password_confirm: password })
  }
  const answers = await Promise.all(Array.from({ length: usesAtOnce }, (_, index) => use(index)))

  const won = [...answers.keys()].filter((index) => answers[index]?.status === 200)
  const lost = [...answers.keys()].filter((index) => Bun.deepEquals(answers[index], notAllowed))
  const logIns = await Promise.all(
    [won[0], lost[0], lost.at(-1)].map((index = -1) => logInStatus(urls[0], passwordOf(index))),
  )
  const isRight = won.length === 1 && lost.length === usesAtOnce - 1 && Bun.deepEquals(logIns, [200, 401, 401])
  return isRight ? [] : [`resets of round ${round}: log-ins ${logIns}, answers ${JSON.stringify(answers)}`]
}

const logInStatus = async (url: string, password: string): Promise<number> =>
  (await createClient(url).submit("/token", { username: "ana", password })).status

const requestsAtOnce = 50
const keyReused = refused(409, "This Idempotency-Key was used for another request")

/** Ana sends Bruno points fifty times at once under one idempotency key, then something else under it: the points are sent
 *  once, each of the fifty requests gets the same answer, and the other one is refused. */
export const repeatAtOnce: Round = async ({ admin, ana }, round) => {
  const value = 1 + (round % 1000)
  await admin.post("/transaction/ana/", { value })
  const headers = { "idempotency-key": `round ${round}` }
  const send = (index: number, json: object) =>
    alternate(ana, index).call("POST", "/transaction/bruno/", { headers, json: { value, ...json } })
  const answers = await Promise.all(
    Array.from({ length: requestsAtOnce }, (_, index) => send(index, { reason: "Thanks" })),
  )
  const other = await send(round, { reason: "No thanks" })
  const { body } = await ana[0].get<{ balance: number }>("/user/ana/?show_balance=true")

  const isRight = answers.every((answer) => Bun.deepEquals(answer, added)) && Bun.deepEquals(other, keyReused)
  if (isRight && body.balance === 0) return []
  return [`repeats of round ${round}: ${body.balance} left, then ${JSON.stringify(other)}, ${JSON.stringify(answers)}`]
}
