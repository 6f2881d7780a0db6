import { copyFile, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import fc from "fast-check"
import { settings } from "../durability/company.ts"
import { startServer, temporaryFolder } from "../support/executable.ts"
import { type Answers, answersOf, cutOff, questionsFor } from "./answers.ts"
import type { Base } from "./base.ts"

/** One bit of the files of a base. */
export interface Flip {
  /** A number from 0 to 999,999 that selects the file (see `damage`). */
  readonly file: number
  /** The position in the file, in parts of a million. */
  readonly where: number
  readonly bit: number
}

// Without fast-check's bias towards the ends.
const part = fc.noBias(fc.nat(999_999))
export const flips: fc.Arbitrary<Flip> = fc.record({ file: part, where: part, bit: fc.nat(7) })

export interface FlipReport {
  /** The start was refused, every answer was right, or some requests failed. */
  readonly outcome: "refused" | "right" | "failing"
  /** What went wrong. */
  readonly faults: readonly string[]
}

/** Flips the bit in a copy of the base, serves it, and compares the answers with those of the base. */
export async function runFlip(base: Base, flip: Flip): Promise<FlipReport> {
  await using folder = await temporaryFolder()
  const cwd = folder.path
  for (const file of base.files) await copyFile(join(base.path, file), join(cwd, file))
  const damaged = await damage(cwd, base.files, flip)
  const report = (outcome: FlipReport["outcome"], faults: readonly string[]): FlipReport => ({
    outcome,
    faults: faults.map((fault) => `${damaged}: ${fault}`),
  })

  const starting = await startServer({ cwd, config: settings }).catch((error: Error) => error.message)
  if (typeof starting === "string") return report("refused", isPlainRefusal(starting) ? [] : [starting])
  await using server = starting
  const answers = await answersOf(server, questionsFor(base.members, base.transactions), base.transactions)
  await server.stop("SIGKILL")
  const { failures, faults } = compare(base.answers, answers)
  return report(failures > 0 ? "failing" : "right", faults)
}

/** One flip in ten hits the watermark, the others one of the other files. Returns a description. */
async function damage(cwd: string, files: readonly string[], { file, where, bit }: Flip): Promise<string> {
  const ledgers = files.filter((name) => !name.endsWith(".mark"))
  const name = file < 100_000 ? "rewards.db.mark" : (ledgers[file % ledgers.length] ?? "")
  const bytes = await readFile(join(cwd, name))
  const at = Math.floor((where / 1_000_000) * bytes.length)
  bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << bit), at)
  await writeFile(join(cwd, name), bytes)
  return `bit ${bit} of byte ${at} of ${name}`
}

/** Log lines may come first. */
const isPlainRefusal = (message: string): boolean =>
  /^serve did not listen; exit status 1\n(\{[^\n]*\n)*cannot use the database rewards\.db: [^\n]+$/.test(message)

function compare(expected: Answers, found: Answers) {
  const differing = [...expected].filter(([question, answer]) => !Bun.deepEquals(found.get(question), answer))
  const wrong = differing.filter(([question]) => !isFailure(found.get(question)))
  return {
    failures: differing.length - wrong.length,
    faults: wrong.map(([question, answer]) => `${question} was answered ${difference(answer, found.get(question))}`),
  }
}

/**
 * Whether this is a failure: a status from 500 up, a stream that the server closes with an error, or an answer that was
 * cut off.
 */
const isFailure = (answer: unknown): boolean => answer === cutOff || (typeof answer === "number" && answer >= 500)

/** The place where two answers begin to differ, with a little context. */
function difference(expected: unknown, found: unknown): string {
  const [one, other] = [expected, found].map((answer) => JSON.stringify(answer) ?? "nothing")
  if (one === undefined || other === undefined) return ""
  let at = 0
  while (one[at] === other[at] && at < one.length) at += 1
  const around = (text: string) => text.slice(Math.max(0, at - 40), at + 40)
  return `…${around(other)}… instead of …${around(one)}…`
}
