import fc from "fast-check"
import { ok } from "../support/answers.ts"
import { createClient } from "../support/client.ts"
import { bearer, logIn } from "../support/credentials.ts"
import { temporaryFolder } from "../support/executable.ts"
import { expectAnswer } from "./action.ts"
import { logins } from "./logins.ts"
import { operator } from "./operator.ts"
import { people } from "./people.ts"
import { points } from "./points.ts"
import { type ModelServer, startModelServer, writeTemplate } from "./server.ts"
import { balanceOf, type Model } from "./state.ts"

export interface CheckOptions {
  readonly runs: number
  /** Absent: a random one. */
  readonly seed?: number | undefined
  readonly afterRun?: () => void
}

/** The time limit of one sequence, in milliseconds. */
const runMs = 120_000

/**
 * Runs random sequences of actions, by users and the operator, with restarts in between, against a server and a model
 * of the interface. Every answer must be the model's, and so must the passwords and balances at the end. Prints its
 * seed.
 * @throws Error with the shortest failing sequence that fast-check finds, and the seed
 */
export async function checkModel({ runs, seed = randomSeed(), afterRun = () => {} }: CheckOptions): Promise<void> {
  console.log(`seed ${seed}`)
  await using folder = await temporaryFolder()
  const model = await writeTemplate(folder.path)
  const sequence = fc.commands([fc.oneof(...logins, ...people, ...points, ...operator)], {
    maxCommands: 60,
    size: "max",
  })

  const property = fc.asyncProperty(sequence, async (actions) => {
    await using server = await startModelServer(folder.path)
    const state = model()
    await logEverybodyIn(state, server)
    await fc.asyncModelRun(() => ({ model: state, real: server }), actions)
    await checkPasswordsAndBalances(state, server)
    afterRun()
  })
  await fc.assert(property, { numRuns: runs, seed, timeout: runMs })
}

const randomSeed = (): number => Math.floor(Math.random() * 2 ** 31)

/** Gives every user a pair of tokens, so that the actions have credentials to use. */
async function logEverybodyIn(model: Model, { url }: ModelServer) {
  for (const { username, password } of model.users) {
    const { access_token: access, refresh_token: refresh } = await logIn(url, username, password)
    const alive = { accessEnded: false, refreshEnded: false }
    model.credentials.push({ kind: "tokens", username, access, refresh, fresh: true, ...alive })
  }
}

/** Checks after a sequence that every user can log in with their password and has the balance of the model. */
async function checkPasswordsAndBalances(model: Model, { url }: ModelServer) {
  for (const { username, password } of model.users) {
    const { access_token } = await logIn(url, username, password)
    const { body, ...answer } = await createClient(url, bearer(access_token)).get<{ balance: number }>(
      `/transaction/${username}/?size=1`,
    )
    expectAnswer(ok(balanceOf(model, username)), { ...answer, body: body.balance })
  }
}
