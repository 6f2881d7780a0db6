import { expect, test } from "bun:test"
import { nextTick } from "../../src/domain/ticks.ts"
import { bounds } from "../../src/http/costs.ts"
import { createTurns } from "../../src/http/turns.ts"

const here = new AbortController().signal
const { ofOne, inAll, waiting } = bounds.work

/** Takes a turn, begins when it may, and says so. */
function worker(turns: ReturnType<typeof createTurns>, began: string[]) {
  return async (owner: string, signal = here) => {
    const turn = await turns("work", owner, signal)
    await turn.begin()
    began.push(owner)
    return turn
  }
}

test("turns go by person: whoever sends many requests holds up nobody else", async () => {
  const began: string[] = []
  const begin = worker(createTurns(), began)
  const client = new AbortController()
  const greedy = Array.from({ length: ofOne + waiting }, () => begin("Ana", client.signal))
  for (const one of greedy) one.catch(() => {}) // the end of the test ends those that still wait
  const others = await Promise.all(Array.from({ length: inAll - ofOne }, (_, index) => begin(`person ${index}`)))
  expect(began.filter((owner) => owner === "Ana")).toHaveLength(ofOne)

  const late = [begin("Bruno"), begin("Carla")]
  await nextTick()
  expect(began).toHaveLength(inAll)
  const [first] = greedy
  ;(await first)?.end()
  await late[0]
  expect(began.at(-1)).toBe("Bruno") // and not Ana's third
  others[0]?.end()
  await late[1]
  expect(began.at(-1)).toBe("Carla")
  client.abort()
})

test("one too many is refused at once, and one that waits too long in the end", async () => {
  const turns = createTurns(5)
  await Promise.all(Array.from({ length: ofOne }, () => turns("work", "Ana", here)))
  const asked = Array.from({ length: waiting }, () => turns("work", "Ana", here).catch((error) => error))
  const { code, headers } = await turns("work", "Ana", here).catch((error) => error)

  expect([code, headers]).toEqual(["too_many_at_once", { "retry-after": "5" }])
  expect((await Promise.all(asked)).map((error) => error.code)).toEqual(asked.map(() => "too_many_at_once"))
})

test("beyond what all may do together, work waits and is refused in the end, and a download is refused at once", async () => {
  const turns = createTurns(5)
  const begin = worker(turns, [])
  await Promise.all(Array.from({ length: inAll }, (_, index) => begin(`person ${index}`)))
  expect((await begin("Ana").catch((error) => error)).code).toBe("overloaded")

  const downloads = Array.from({ length: bounds.download.inAll }, (_, index) => turns("download", `p ${index}`, here))
  for (const turn of await Promise.all(downloads)) await turn.begin()
  const one = await turns("download", "Ana", here)
  expect((await one.begin().catch((error) => error)).code).toBe("overloaded")
})

test("a request whose client has gone waits no longer", async () => {
  const turns = createTurns()
  const [first] = await Promise.all(Array.from({ length: ofOne }, () => turns("work", "Ana", here)))
  const client = new AbortController()
  const gone = turns("work", "Ana", client.signal).catch((error) => error)
  const stays = turns("work", "Ana", here)
  client.abort("gone")

  expect(await gone).toBe("gone")
  expect(await turns("work", "Ana", client.signal).catch((error) => error)).toBe("gone")
  first?.end()
  expect(await stays).toBeDefined()
})

test("work that is done makes room for others while its answer is sent, but not for its person", async () => {
  const began: string[] = []
  const turns = createTurns()
  const begin = worker(turns, began)
  const running = await Promise.all(Array.from({ length: inAll }, (_, index) => begin(`person ${index >> 1}`)))
  const other = begin("Ana")
  const own = begin("person 0")
  running[0]?.finish()
  await other
  expect(began.at(-1)).toBe("Ana")
  running[1]?.finish()
  await nextTick()
  expect(Bun.peek.status(own)).toBe("pending")

  running[0]?.end()
  running[0]?.end()
  await own
  expect(began).toHaveLength(inAll + 2)
})
