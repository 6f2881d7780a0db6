import fc from "fast-check"
import { type Action, action } from "./action.ts"
import { username, value } from "./arbitraries.ts"
import { balanceOf, userNamed } from "./state.ts"

const restart = fc
  .constantFrom("SIGTERM" as const, "SIGKILL" as const)
  .map((signal) => action(`the server is ended by ${signal} and started again`, (_, server) => server.restart(signal)))

const grant = fc.record({ username, value }).map(({ username, value }) =>
  action(`the operator sends ${value} to ${username}`, async (model, server) => {
    const { status, stdout, stderr } = await server.command("transaction", username, "--json", "--", String(value))
    const before = { sender: balanceOf(model, "admin"), receiver: balanceOf(model, username) }
    const most = 2 ** 53 - 1
    const fits = Number.isSafeInteger(value) && value >= 1
    const exact = before.sender - value >= -most && before.receiver + value <= most
    const done = userNamed(model, username) !== undefined && fits && (exact || username === "admin")
    if ((status === 0) !== done) throw new Error(`status ${status}: ${stdout}${stderr}`)
    if (done) model.transactions.push({ kind: "transfer", receiver: username, sender: "admin", value, reverses: null })
  }),
)

export const operator: fc.WeightedArbitrary<Action>[] = [
  { arbitrary: restart, weight: 1 },
  { arbitrary: grant, weight: 1 },
]
