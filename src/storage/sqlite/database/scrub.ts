import type { Log } from "../../../support/log.ts"
import { thrown } from "./errors.ts"
import type { Request } from "./runner.ts"
import type { Runs } from "./threads.ts"

/** How often emptying the WAL is tried, and with which pauses, while another process reads an old state. */
const attempts = 5
const pauseMs = 1000
/**
 * A statement that inserts several rows first copies each page that it changes, so that it can be undone alone. In a file, this
 * takes half the time of a batch of transfers. VACUUM would hold the whole database there.
 */
export const journalsInMemory = "PRAGMA temp_store = MEMORY"

/** Writers wait while the WAL is being emptied. */
const emptyWithinMs = 100

interface Scrub {
  readonly writer: Runs
  /** Runs work while no transaction of this process runs. */
  readonly alone: <T>(work: () => Promise<T>) => Promise<T>
  readonly log: Log
  readonly fail: (error: unknown) => void
}

/**
 * Rewrites the database and empties the WAL, so that no deleted data is left in the files: SQLite leaves old rows in
 * free pages and in unused parts of pages, and `PRAGMA secure_delete` does not reach all of them. It takes about a
 * second of processor time for 150 MB, and needs as much free space as the database has. Other writes wait only for the
 * rewriting: while another process reads, only emptying the WAL is tried again.
 */
export async function scrub({ writer, alone, log, fail }: Scrub): Promise<void> {
  const runs = (texts: readonly string[], waitsMs?: number): Request => ({
    calls: texts.map((text) => writer.call(statement(text), [])),
    isAlone: true,
    ...(waitsMs !== undefined && { waitsMs }),
  })
  let isRewritten = false
  for (let attempt = 1; ; attempt += 1) {
    const problem = await faultOf()
    if (problem === null) return
    if (attempt === attempts) return logLeft(problem)
    await Bun.sleep(pauseMs)
  }

  async function faultOf(): Promise<string | null> {
    if (!isRewritten) {
      const failure = await failureOf(["PRAGMA temp_store = FILE", "VACUUM"])
      if (failure !== null) return failure
      isRewritten = true
    }
    return failureOf(["PRAGMA wal_checkpoint(TRUNCATE)"], emptyWithinMs)
  }

  /** Why the last statement did not do its work. */
  async function failureOf(texts: readonly string[], waitsMs?: number): Promise<string | null> {
    const [answer] = await alone(() => writer.run([runs(texts, waitsMs), runs([journalsInMemory])]))
    if (answer === undefined) throw new Error("a scrub was not answered")
    const { failure, results } = answer
    if (failure?.isFinal) fail(thrown(failure))
    if (failure) return `${failure.code} ${failure.message}`
    const [state] = results[texts.length - 1] as readonly { readonly busy?: number }[]
    return state?.busy ? "another process reads an old state of the database" : null
  }

  function logLeft(error: string) {
    log.error("erased data may be left in unused parts of the database files; run `rewards user erase` again", {
      error,
    })
  }
}

const statements = new Map<string, { readonly text: string }>()

function statement(text: string) {
  const known = statements.get(text) ?? { text }
  statements.set(text, known)
  return known
}
