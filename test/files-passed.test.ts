import { beforeAll, expect, test } from "bun:test"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

/* A drawing in docs/architecture.md names the files that a transfer passes, and docs/architecture/ways.md those of a page of a
 * history. Here both run with coverage. */

const root = join(import.meta.dir, "..")
const pageOf = (path: string) => Bun.file(join(root, path)).text()
const [architecture, ways] = await Promise.all(["docs/architecture.md", "docs/architecture/ways.md"].map(pageOf))

const times = 200
/** More often than anything that runs by a timer meanwhile, even on a busy machine. */
const often = times / 2
/** A file with fewer lines in the way has a short function that others call, such as `isSuperuser`. */
const fewLines = 10

/** Lines of each file that each request runs. */
type Lines = ReadonlyMap<string, number>
let [transfer, history]: [Lines, Lines] = [new Map(), new Map()]

beforeAll(async () => {
  const [once, transfers, pages] = await Promise.all([
    countsOf({ TRANSFERS: "1", PAGES: "1" }),
    countsOf({ TRANSFERS: `${1 + times}`, PAGES: "1" }),
    countsOf({ TRANSFERS: "1", PAGES: `${1 + times}` }),
  ])
  transfer = addedLines(once, transfers)
  history = addedLines(once, pages)
}, 60_000)

test("a transfer runs through the source files of the drawing, at most twenty-four, and no other large one", () => {
  const [, drawing = ""] = /^## The way of a transfer$.*?^```mermaid$(.*?)^```$/ms.exec(architecture ?? "") ?? []
  const listed = [...drawing.matchAll(/\bsrc\/[\w/.-]+\.ts\b/g)].map(([file]) => file)
  expect(listed).toHaveLength(24)
  expect(listed.filter((file) => !transfer.has(file))).toEqual([])
  expect(largeIn(transfer).filter((file) => !listed.includes(file) && !apart(file))).toEqual([])
})

test("a history page runs through the storage files that the page lists, at most seven, and no other large one", () => {
  const [text = ""] = /^## A page of history$.*?On PostgreSQL/ms.exec(ways ?? "") ?? []
  const listed = filesIn(text)
  expect(listed).toHaveLength(6)
  expect(listed.filter((file) => !history.has(file))).toEqual([])
  const inStorage = largeIn(history).filter((file) => file.startsWith("src/storage/"))
  expect(inStorage.filter((file) => !listed.includes(file) && !apart(file))).toEqual([])
})

/**
 * The log, the ticks of the event loop, the text of statements, and what follows the commit: dashboards read it, and the
 * totals of leaderboards catch up.
 */
const apart = (file: string) =>
  file === "src/support/log.ts" ||
  file === "src/domain/ticks.ts" ||
  file === "src/domain/recognition/leaderboards.ts" ||
  file === "src/storage/sql.ts" ||
  file.startsWith("src/stream/")

const filesIn = (text: string) => [...text.matchAll(/`(src\/[\w/.-]+\.ts)`/g)].map(([, file = ""]) => file)

const largeIn = (lines: Lines) => [...lines].filter(([, count]) => count >= fewLines).map(([file]) => file)

/** By file and line, how often the line ran. */
async function countsOf(environment: Record<string, string>): Promise<Map<string, Map<string, number>>> {
  const folder = await mkdtemp(join(tmpdir(), "rewards-coverage-"))
  try {
    const run = Bun.spawn(
      [process.execPath, "test", "--timeout", "60000", "--coverage", "--coverage-reporter=lcov"].concat(
        `--coverage-dir=${folder}`,
        "./test/support/requests.ts",
      ),
      { cwd: root, env: { ...process.env, ...environment, REWARDS_TEST_STORE: "" }, stderr: "pipe" },
    )
    const [status, output] = await Promise.all([run.exited, new Response(run.stderr).text()])
    if (status !== 0) throw new Error(output)
    const counts = new Map<string, Map<string, number>>()
    for (const record of (await Bun.file(join(folder, "lcov.info")).text()).split("end_of_record")) {
      const [, file = ""] = /^SF:(.*)$/m.exec(record) ?? []
      const lines = [...record.matchAll(/^DA:(\d+),(\d+)/gm)]
      counts.set(file, new Map(lines.map(([, line = "", count]) => [line, Number(count)])))
    }
    return counts
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function addedLines(before: Awaited<ReturnType<typeof countsOf>>, after: typeof before): Lines {
  const added = new Map<string, number>()
  for (const [file, counts] of after) {
    const ran = [...counts].filter(([line, count]) => count - (before.get(file)?.get(line) ?? 0) >= often)
    if (file.startsWith("src/") && ran.length > 0) added.set(file, ran.length)
  }
  return added
}
