import fc from "fast-check"
import { orderFields } from "../../src/domain/ledger/model.ts"
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
import {
  balanceOf,
  isSuperuser,
  type Model,
  type ModelUser,
  pocketsOf,
  receivedBy,
  reversedOf,
  userNamed,
} from "./state.ts"

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
      model.transactions.push({
        kind: "transfer",
        receiver: username,
        sender: authenticated.caller.username,
        value,
        reverses: null,
      })
  }),
)

const grant = fc
  .record({ shown: credential, username, value: fc.integer({ min: 1, max: 50 }) })
  .map(({ shown, username, value }) =>
    action(`credential ${shown} grants ${value} to ${username}`, async (model, server) => {
      const authenticated = authenticate(model, credentialAt(model, shown))
      const expected = (): Expected => {
        if ("refusal" in authenticated) return authenticated.refusal
        if (!userNamed(model, username)) return refused(404, `User not found: ${username}`)
        const { caller } = authenticated
        const [own, other] = [balanceOf(model, caller.username), balanceOf(model, username)]
        if (!isSuperuser(caller) && own < value) return refused(400, "Insufficient balance")
        const isExact = caller.username === username || (own - value >= -most && other + value <= most)
        return isExact ? { status: 201, body: [model.transactions.length + 1] } : unprocessable
      }
      const answer = expected()
      const given = await clientOf(server, credentialAt(model, shown)).post<{ ids: number[] }>("/api/v1/grants", {
        value,
        usernames: [username],
      })
      expectAnswer(answer, { ...given, body: given.status === 201 ? given.body.ids : given.body })
      if (answer.status === 201 && "caller" in authenticated)
        model.transactions.push({
          kind: "grant",
          receiver: username,
          sender: authenticated.caller.username,
          value,
          reverses: null,
        })
    }),
  )

const reverse = fc
  .record({ shown: credential, id: fc.nat({ max: 20 }), value: maybe(value) })
  .map(({ shown, id, value }) =>
    action(`credential ${shown} reverses ${value ?? "what is left"} of ${id}`, async (model, server) => {
      const authenticated = authenticate(model, credentialAt(model, shown))
      const original = model.transactions[id - 1]
      const left = (original?.value ?? 0) - reversedOf(model, id)
      const returned = value ?? left

      const expected = (): Expected => {
        if ("refusal" in authenticated) return authenticated.refusal
        if (!original) return refused(404, "Transaction not found")
        if (!isSuperuser(authenticated.caller)) return refused(403, "Not a super user")
        if (value !== undefined && (!Number.isSafeInteger(value) || value < 1)) return unprocessable
        if (original.kind === "reversal")
          return refused(409, "Only transfers, grants, allowances and occasions can be reversed")
        if (left === 0) return refused(409, "Nothing left to reverse")
        if (returned > left) return refused(409, "Fewer points are left to reverse")
        const { receiver, sender } = original
        const holder = userNamed(model, receiver)
        const held = balanceOf(model, receiver)
        if (holder && !isSuperuser(holder) && held < returned) return refused(400, "Insufficient balance")
        const isExact = receiver === sender || (held - returned >= -most && balanceOf(model, sender) + returned <= most)
        const done = { id: model.transactions.length + 1, from: receiver, to: sender, value: returned, reverses: id }
        return isExact ? { status: 201, body: done } : unprocessable
      }
      const answer = expected()
      const given = await clientOf(server, credentialAt(model, shown)).post<Listed>(
        `/api/v1/transactions/${id}/reversal`,
        { value, reason: "a mistake" },
      )
      const { id: newId, from, to, value: moved, reverses } = given.body
      const done = { id: newId, from: from?.username, to: to?.username, value: moved, reverses }
      expectAnswer(answer, { ...given, body: given.status === 201 ? done : given.body })
      if (answer.status === 201 && original)
        model.transactions.push({
          kind: "reversal",
          receiver: original.sender,
          sender: original.receiver,
          value: returned,
          reverses: id,
        })
    }),
  )

/** An item of GET /api/v1/transactions. */
interface Listed {
  readonly id: number
  readonly kind: string
  readonly value: number
  readonly from?: { readonly username: string }
  readonly to?: { readonly username: string }
  readonly reverses: number | null
  readonly reversed: number
}

const list = fc
  .record({ shown: credential, kind: maybe(fc.constantFrom("transfer", "grant", "reversal")) })
  .map(({ shown, kind }) =>
    action(`credential ${shown} lists ${kind ?? "all"}`, async (model, server) => {
      const authenticated = authenticate(model, credentialAt(model, shown))
      const listed = (caller: ModelUser) =>
        model.transactions
          .map((one, index) => ({ ...one, id: index + 1, reversed: reversedOf(model, index + 1) }))
          .filter((one) => isSuperuser(caller) || [one.sender, one.receiver].includes(caller.username))
          .filter((one) => kind === undefined || one.kind === kind)
          .reverse()
      const client = clientOf(server, credentialAt(model, shown))
      const given = await client.get<{ items?: Listed[] }>(
        `/api/v1/transactions?size=100${kind === undefined ? "" : `&kind=${kind}`}`,
      )
      const items = given.body.items?.map(({ id, kind, value, from, to, reverses, reversed }) => ({
        kind,
        receiver: to?.username,
        sender: from?.username,
        value,
        reverses,
        id,
        reversed,
      }))
      expectAnswer("caller" in authenticated ? ok(listed(authenticated.caller)) : authenticated.refusal, {
        ...given,
        body: items ?? given.body,
      })
    }),
  )

const purse = credential.map((shown) =>
  action(`credential ${shown} asks what it can give and redeem`, async (model, server) => {
    const authenticated = authenticate(model, credentialAt(model, shown))
    const expected = ({ username }: ModelUser): Expected => {
      const { budget, earned } = pocketsOf(model, username)
      const balance = budget + earned
      const received = Math.min(receivedBy(model, username), most)
      // Redemptions go to admin, who redeems nothing.
      const redeemable = username === "admin" ? 0 : earned
      return ok({ balance, to_give: balance, received, redeemable, budget: Math.max(0, balance - redeemable) })
    }
    const given = await clientOf(server, credentialAt(model, shown)).get<Record<string, unknown>>("/api/v1/me")
    const { balance, to_give, received, redeemable, budget } = given.body
    expectAnswer("caller" in authenticated ? expected(authenticated.caller) : authenticated.refusal, {
      ...given,
      body: given.status === 200 ? { balance, to_give, received, redeemable, budget } : given.body,
    })
  }),
)

const query = fc.record(
  {
    user: username,
    from_user: username,
    order_by: fc.constantFrom(...orderFields.flatMap((field) => [field, `-${field}`]), "id"),
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
  { arbitrary: grant, weight: 3 },
  { arbitrary: reverse, weight: 5 },
  { arbitrary: list, weight: 3 },
  { arbitrary: purse, weight: 3 },
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
