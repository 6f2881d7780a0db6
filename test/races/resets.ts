import { refused } from "../support/answers.ts"
import { createClient } from "../support/client.ts"
import { type Arena, inTurn } from "./arena.ts"

const usesAtOnce = 50
const notAllowed = refused(403, "You are not allowed to change this user's password")

/**
 * Uses one reset token fifty times at once, at two servers, each time for another password: one use must win, and its
 * password alone is Ana's. Returns what is wrong.
 */
export async function resetAtOnce({ urls, resetToken }: Arena, round: number): Promise<string[]> {
  const path = `/user/ana/password/?pwd_reset_token=${await resetToken()}`
  const passwordOf = (turn: number) => `password ${turn} of round ${round}`
  const use = (turn: number) => {
    const password = passwordOf(turn)
    return createClient(inTurn(urls, turn)).post(path, { password, password_confirm: password })
  }
  const answers = await Promise.all(Array.from({ length: usesAtOnce }, (_, turn) => use(turn)))

  const won = [...answers.keys()].filter((turn) => answers[turn]?.status === 200)
  const lost = [...answers.keys()].filter((turn) => Bun.deepEquals(answers[turn], notAllowed))
  const logIns = await Promise.all([won[0], lost[0], lost.at(-1)].map((turn = -1) => logIn(urls[0], passwordOf(turn))))
  const isRight = won.length === 1 && lost.length === usesAtOnce - 1 && Bun.deepEquals(logIns, [200, 401, 401])
  return isRight ? [] : [`resets of round ${round}: log-ins ${logIns}, answers ${JSON.stringify(answers)}`]
}

const logIn = async (url: string, password: string): Promise<number> =>
  (await createClient(url).submit("/token", { username: "ana", password })).status
