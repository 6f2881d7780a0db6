import fc from "fast-check"
import { ok } from "../support/answers.ts"
import { createClient } from "../support/client.ts"
import { bearer, logIn } from "../support/credentials.ts"
import { temporaryFolder } from "../support/executable.ts"
import { mustBe } from "./act.ts"
import { logins } from "./logins.ts"
import { operator } from "./operator.ts"
import { people } from "./people.ts"
import { openPlace, type Place, writeTemplate } from "./place.ts"
import { points } from "./points.ts"
import { balanceOf, type Model } from "./state.ts"

export interface CheckOptions {
  readonly runs: number
  /** Absent: by chance. */
  readonly seed?: number
  readonly afterRun?: () => void
}

/**
 * Plays random days at the company: whatever people and operator do, in whatever order, with restarts in between, each
 * answer is the model's, and so is what is there in the evening.
 * @throws Error with the shortest day that fast-check finds, and its seed
 */
export async function checkModel({ runs, seed, afterRun = () => {} }: CheckOptions): Promise<void> {
  await using folder = await temporaryFolder()
  const { database, model } = await writeTemplate(folder.path)
  const day = fc.commands([fc.oneof(...logins, ...people, ...points, ...operator)], { maxCommands: 60, size: "max" })

  const property = fc.asyncProperty(day, async (acts) => {
    await using place = await openPlace(database)
    const company = model()
    await morning(company, place)
    await fc.asyncModelRun(() => ({ model: company, real: place }), acts)
    await evening(company, place)
    afterRun()
  })
  await fc.assert(property, { numRuns: runs, ...(seed !== undefined && { seed }) })
}

/** Everybody has logged in once. */
async function morning(model: Model, { url }: Place) {
  for (const { username, password } of model.users) {
    const { access_token: access, refresh_token: refresh } = await logIn(url, username, password)
    const alive = { accessEnded: false, refreshEnded: false }
    model.credentials.push({ kind: "tokens", username, access, refresh, fresh: true, ...alive })
  }
}

/** Whatever the day was, everybody's password and balance are what they must be. */
async function evening(model: Model, { url }: Place) {
  for (const { username, password } of model.users) {
    const { access_token } = await logIn(url, username, password)
    const { body, ...answer } = await createClient(url, bearer(access_token)).get<{ balance: number }>(
      `/transaction/${username}/?size=1`,
    )
    mustBe(ok(balanceOf(model, username)), { ...answer, body: body.balance })
  }
}
