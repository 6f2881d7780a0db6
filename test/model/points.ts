import fc from "fast-check"
import { noSuchUser, ok, refused } from "../support/answers.ts"
import type { Answer } from "../support/client.ts"
import {
  type Action,
  action,
  authenticate,
  clientOf,
  credentialAt,
  type Expected,
  expectAnswer,
  unprocessable,
} from "./action.ts"
import { credential, maybe, username, value } from "./arbitraries.ts"
import type { ModelServer } from "./server.ts"
import { balanceOf, isSuperuser, type Model, type ModelUser, userNamed } from "./state.ts"

const most = 2 ** 53 - 1

const send = fc.record({ shown: credential, username, value }).map(({ shown, username, value }) =>
  action(`credential ${shown} sends ${value} to ${username}`, async (model, server) => {
    const receiver = userNamed(model, username)
    const authenticated = authenticate(model, credentialAt(model, shown))

    const expected = (): Expected => {
      if ("refusal" in authenticated) return authenticated.refusal
      if (!receiver) return noSuchUser
      if (!Number.isSafeInteger(value) || value < 1) return unprocessable
      const { caller } = authenticated
      if (!isSuperuser(caller) && balanceOf(model, caller.username) < value) return refused(400, "Insufficient balance")
      const exact = balanceOf(model, caller.username) - value >= -most && balanceOf(model, username) + value <= most
      return exact || caller === receiver ? { status: 201, body: { message: "Transaction added" } } : unprocessable
    }
    const answer = expected()
    expectAnswer(
      answer,
      await clientOf(server, credentialAt(model, shown)).post(`/transaction/${username}/`, { value }),
    )
    if (answer.status === 201 && "caller" in authenticated)
      model.transactions.push({ receiver: username, sender: authenticated.caller.username, value })
  }),
)

const query = fc.record(
  {
    user: username,
    from_user: username,
    order_by: fc.constantFrom("user", "-user", "from_user", "-from_user", "value", "-value", "date", "-date", "id"),
    page: fc.constantFrom(1, 2, 3, 0),
    size: fc.constantFrom(1, 2, 3, 100, 101),
  },
  { requiredKeys: [] },
)
type Query = Partial<{ user: string; from_user: string; order_by: string; page: number; size: number }>

const history = fc.record({ shown: credential, query }).map(({ shown, query }) =>
  action(`credential ${shown} reads the history ${JSON.stringify(query)}`, async (model, server) => {
    const authenticated = authenticate(model, credentialAt(model, shown))
    const read = (caller: ModelUser) => pageOf(model, isSuperuser(caller) ? null : caller.username, query)
    const page = "caller" in authenticated ? read(authenticated.caller) : authenticated.refusal
    expectAnswer(page, await readDated(server, model, shown, "/transaction/", query))
  }),
)

const historyOf = fc.record({ shown: credential, username, query }).map(({ shown, username, query }) =>
  action(`credential ${shown} reads the history of ${username} ${JSON.stringify(query)}`, async (model, server) => {
    const user = userNamed(model, username)
    const authenticated = authenticate(model, credentialAt(model, shown))
    const expected = (): Expected => {
      if ("refusal" in authenticated) return authenticated.refusal
      if (!user) return noSuchUser
      if (!isSuperuser(authenticated.caller) && authenticated.caller !== user)
        return refused(403, "You can only see your own transactions")
      const page = pageOf(model, username, query)
      return "body" in page ? ok({ ...Object(page.body), balance: balanceOf(model, username) }) : unprocessable
    }
    expectAnswer(expected(), await readDated(server, model, shown, `/transaction/${username}/`, query))
  }),
)

const watch = maybe(fc.nat({ max: 20 })).map((after) =>
  action(`somebody watches the stream${after === undefined ? "" : ` after ${after}`}`, async (model, { url }) => {
    const name = (username: string) => userNamed(model, username)?.name
    const expected = model.transactions.slice(after ?? 0).map(({ receiver, sender, value }, index) => ({
      to: name(receiver),
      from: name(sender),
      value,
      ...(after !== undefined && { id: after + index + 1 }),
    }))
    const frames = await framesOf(
      `${url}/transaction/ws${after === undefined ? "" : `?after=${after}`}`,
      expected.length,
    )
    if (!Bun.deepEquals(frames, expected)) throw new Error(`the stream sent ${JSON.stringify(frames)}`)
  }),
)

export const points: fc.WeightedArbitrary<Action>[] = [
  { arbitrary: send, weight: 10 },
  { arbitrary: history, weight: 4 },
  { arbitrary: historyOf, weight: 3 },
  { arbitrary: watch, weight: 2 },
]

function pageOf(model: Model, participant: string | null, query: Query): Answer | typeof unprocessable {
  const { user, from_user, order_by = "date", page = 1, size = 50 } = query
  if (order_by === "id" || page < 1 || size > 100) return unprocessable
  const found = model.transactions
    .map((transaction, index) => ({ ...transaction, id: index + 1 }))
    .filter(({ receiver, sender }) => participant === null || receiver === participant || sender === participant)
    .filter(({ receiver, sender }) => (user ?? receiver) === receiver && (from_user ?? sender) === sender)
  const keys = { user: "receiver", from_user: "sender", value: "value", date: "id" } as const
  const key = keys[order_by.replace("-", "") as keyof typeof keys]
  found.sort((a, b) => (a[key] < b[key] ? -1 : a[key] > b[key] ? 1 : a.id - b.id))
  if (order_by.startsWith("-")) found.reverse()

  const idOf = (username: string) => model.users.findIndex((user) => user.username === username) + 1
  const items = found.slice((page - 1) * size, page * size).map(({ id, value, receiver, sender }) => ({
    id,
    value,
    user: receiver,
    from_user: sender,
    user_id: idOf(receiver),
    from_id: idOf(sender),
  }))
  return ok({ items, total: found.length, page, size })
}

/** Reads a page, checks its dates and removes them, because the model has no clock. */
async function readDated(
  server: ModelServer,
  model: Model,
  shown: number,
  path: string,
  query: Query,
): Promise<Answer> {
  const parameters = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
  const answer = await clientOf(server, credentialAt(model, shown)).get<{ items?: { date?: string; id: number }[] }>(
    `${path}?${parameters}`,
  )
  if (answer.status !== 200) return answer
  const dated = [...(answer.body.items ?? [])].sort((a, b) => a.id - b.id)
  if (dated.some(({ date = "" }) => !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3,6}$/.test(date)))
    throw new Error(`not a date: ${JSON.stringify(dated)}`)
  if (dated.some(({ date = "" }, index) => date < (dated[index - 1]?.date ?? "")))
    throw new Error(`dates go backwards: ${JSON.stringify(dated)}`)
  return { ...answer, body: { ...answer.body, items: answer.body.items?.map(({ date: _, ...item }) => item) } }
}

/** The first `count` frames of the stream, without dates. */
function framesOf(address: string, count: number): Promise<unknown[]> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown[]>()
  const frames: unknown[] = []
  const socket = new WebSocket(address.replace("http", "ws"))
  socket.onopen = () => count === 0 && resolve(frames)
  socket.onmessage = ({ data }) => {
    const { date: _, ...frame } = JSON.parse(data)
    if (frames.push(frame) === count) resolve(frames)
  }
  socket.onclose = ({ code }) => reject(new Error(`the stream ended with ${code} after ${JSON.stringify(frames)}`))
  const late = setTimeout(() => reject(new Error(`the stream is silent after ${JSON.stringify(frames)}`)), 60_000)
  return promise.finally(() => {
    clearTimeout(late)
    socket.close()
  })
}
