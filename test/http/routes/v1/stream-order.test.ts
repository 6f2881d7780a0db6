import { expect, test } from "bun:test"
import fc from "fast-check"
import { watch } from "../../../stream/watching.ts"
import { startTestServer } from "../../../support/server.ts"
import { until } from "../../../support/until.ts"

const names = ["Ana", "Bruno", "Carla", "Davi"]
const entries = 600

const somebody = fc.nat(names.length - 1)
/** Who watches, behind which entry, and when it connects: as a number of entries asked for by then. */
const visitor = fc.record({ who: somebody, after: fc.nat(entries), at: fc.nat(entries - 1) })
const transfer = fc.record({ from: somebody, to: somebody, isPrivate: fc.boolean() })

interface Entry {
  readonly id: number
  readonly reason: string | null
}

for (const feed of ["all", "own"])
  test(
    `40 streams opened during 600 transfers each get their entries once, in order, with only what they may read; feed ${feed}`,
    () =>
      fc.assert(
        fc.asyncProperty(
          fc.array(visitor, { minLength: 40, maxLength: 40 }),
          fc.array(transfer, { minLength: entries, maxLength: entries }),
          async (visitors, transfers) => {
            await using server = await startTestServer({ settings: { "recognition.feed": feed } })
            const people = await Promise.all(names.map((name) => server.person(name)))
            const users = await Promise.all(people.map(({ username }) => server.app.access.toUser(username)))
            const open = ({ who, after }: (typeof visitors)[number]) =>
              watch(`${server.url.replace("http", "ws")}/api/v1/stream?after=${after}`, people[who]?.credentials)
            const ids = users.map(({ id }) => id)
            const watched: { visitor: (typeof visitors)[number]; stream: ReturnType<typeof watch> }[] = []
            const given: Promise<unknown>[] = []

            for (const [index, { from, to, isPrivate }] of transfers.entries()) {
              for (const visitor of visitors) if (visitor.at === index) watched.push({ visitor, stream: open(visitor) })
              const [senderId = 0, receiverId = 0] = [ids[from], ids[to]]
              const note = { reason: `${index + 1}`, tags: [], isPrivate }
              given.push(
                server.app.store.ledger.post(
                  { kind: "transfer", senderId, receiverId, value: 1, date: 0, note },
                  () => {},
                ),
              )
              if (index % 16 === 0) await Bun.sleep(1)
            }
            await Promise.all(given)
            // An entry of everybody's own shows that all before it have come.
            for (const [index, senderId] of ids.entries()) {
              const receiverId = ids[(index + 1) % ids.length] ?? 0
              await server.app.store.ledger.post(
                { kind: "transfer", senderId, receiverId, value: 1, date: 0 },
                () => {},
              )
            }

            for (const { visitor, stream } of watched) {
              const expected = transfers.flatMap(({ from, to, isPrivate }, index): Entry[] => {
                const isOwn = visitor.who === from || visitor.who === to
                if (from === to || index < visitor.after || (feed === "own" && !isOwn)) return []
                return [{ id: index + 1, reason: isPrivate && !isOwn ? null : `${index + 1}` }]
              })
              const last = entries + 1 + visitor.who
              const seen = () => (stream.frames as Partial<Entry>[]).filter(({ id }) => id !== undefined)
              await until(() => seen().some(({ id }) => id === last))
              const shown = seen().filter(({ id = 0 }) => id <= entries)
              expect(shown.map(({ id, reason }) => ({ id, reason }))).toEqual(expected)
            }
          },
        ),
        { numRuns: 3 },
      ),
    120_000,
  )
