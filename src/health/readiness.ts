import type { Clock } from "../domain/model.ts"

export interface Finding {
  readonly ok: boolean
  /** One clause for an operator, without names of files and secrets: strangers may read it. */
  readonly reason: string
}

/** Looks at one part. What it throws is a finding too. */
export type Check = () => Promise<Finding>

/** By name of the part. */
export type Findings = Readonly<Record<string, Finding>>

/** Every caller within this time is told the same: asking costs a write, and anybody may ask. */
const freshMs = 1000

/** Whether everything is as it must be, part by part. */
export function createReadiness(checks: Readonly<Record<string, Check>>, clock: Clock): () => Promise<Findings> {
  let lookedAt = Number.NEGATIVE_INFINITY
  let findings: Promise<Findings> = Promise.resolve({})

  return () => {
    const now = clock()
    if (Math.abs(now - lookedAt) >= freshMs) {
      lookedAt = now
      findings = lookAt(checks)
    }
    return findings
  }
}

export const isReady = (findings: Findings): boolean => Object.values(findings).every(({ ok }) => ok)

async function lookAt(checks: Readonly<Record<string, Check>>): Promise<Findings> {
  const found = await Promise.all(
    Object.entries(checks).map(async ([part, check]) => [part, await check().catch(failed)] as const),
  )
  return Object.fromEntries(found)
}

const failed = (error: unknown): Finding => ({ ok: false, reason: `cannot be looked at: ${nameOf(error)}` })

/** The code of what caused it, such as SQLITE_FULL or EACCES, else the kind; a message may name files. */
export function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  if (error.cause instanceof Error) return nameOf(error.cause)
  return "code" in error ? String(error.code) : error.name
}
