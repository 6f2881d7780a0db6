import { bearer, type Member } from "../durability/company.ts"
import { createClient } from "../support/client.ts"
import type { StartedServer } from "../support/executable.ts"

/** Stands for an answer that was cut off. */
export const cutOff = "broken off"

/** The answers by question: the body, or the status alone when it is not 200. */
export type Answers = ReadonlyMap<string, unknown>

interface Question {
  readonly as: Member
  readonly path: string
}

/** Everything that a superuser and each member can read of a ledger with this many transactions. */
export function questionsFor(members: readonly Member[], transactions: number): Question[] {
  const own = members.flatMap((as) =>
    [
      `/user/${as.username}/?show_balance=true`,
      `/transaction/${as.username}/?size=100`,
      `/api/v1/feed?size=100&username=${as.username}`,
    ].map((path) => ({ as, path })),
  )
  const pages = Array.from({ length: Math.ceil(transactions / 100) + 1 }, (_, index) => `page=${index + 1}`)
  const orders = ["value", "-date", "user", "-from_user"].map((order) => `order_by=${order}`)
  const paths = [
    "/user/?show_balance=true",
    ...[...pages, ...orders, "user=member-1&from_user=admin"].map((query) => `/transaction/?size=100&${query}`),
    "/api/v1/transactions.csv",
    "/api/v1/users.csv",
  ]
  return [...own, ...members.slice(0, 1).flatMap((as) => paths.map((path) => ({ as, path })))]
}

/** Sends all requests, and reads the stream until it has sent this many frames or stalls. */
export async function answersOf(
  { url }: StartedServer,
  questions: readonly Question[],
  frames: number,
): Promise<Answers> {
  const answers = new Map<string, unknown>()
  for (const { as, path } of questions) {
    const answer = await createClient(url, bearer(as))
      .get(path)
      .catch(() => null)
    answers.set(`${as.username} ${path}`, answer?.status === 200 ? answer.body : (answer?.status ?? cutOff))
  }
  return answers.set("the stream", await streamed(url, frames))
}

/** Reached only in a failing test, because a stream must either be complete or be closed. */
const stallMs = 60_000

/** The first `count` frames; the close code when it is closed before them. */
function streamed(url: string, count: number): Promise<string | number> {
  const { promise, resolve } = Promise.withResolvers<string | number>()
  const socket = new WebSocket(`${url.replace("http", "ws")}/transaction/ws?after=0`)
  const frames: string[] = []
  const end = () => resolve(frames.join("\n"))
  let timer = setTimeout(end, stallMs)
  socket.onmessage = ({ data }) => {
    if (frames.push(String(data)) === count) end()
    clearTimeout(timer)
    timer = setTimeout(end, stallMs)
  }
  socket.onclose = ({ code }) => resolve(code)
  return promise.finally(() => {
    clearTimeout(timer)
    socket.close()
  })
}
