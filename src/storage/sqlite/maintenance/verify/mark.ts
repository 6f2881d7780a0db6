import type { Finding, Subject } from "../verify.ts"
import { behindMark, knowsOfAny } from "../watermark.ts"

/** Everything that the mark knows of is there. */
export function* markFaults({ client, mark }: Subject): Generator<Finding> {
  const fault = behindMark(client, mark)
  if (fault !== null) yield { check: "mark", fault }
}

/** Nothing at all is there, where the mark knows of something. */
export function* emptyBehindMark({ mark }: Subject): Generator<Finding> {
  if (knowsOfAny(mark)) yield { check: "mark", fault: "all transactions are missing: the database is empty" }
}
