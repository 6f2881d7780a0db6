/** The result of one check. `cure` says how to fix it; null when it is ok. */
export interface Finding {
  readonly check: string
  readonly verdict: "ok" | "warn" | "bad"
  readonly message: string
  readonly cure: string | null
}

export const ok = (check: string, message: string): Finding => ({ check, verdict: "ok", message, cure: null })

/** It works, but not as it should. */
export const warn = (check: string, message: string, cure: string): Finding => ({
  check,
  verdict: "warn",
  message,
  cure,
})

/** It does not work, or is not safe. */
export const bad = (check: string, message: string, cure: string): Finding => ({ check, verdict: "bad", message, cure })

/** These findings, or a single `ok` when there are none. */
export const orOk = (findings: readonly Finding[], check: string, message: string): readonly Finding[] =>
  findings.length > 0 ? findings : [ok(check, message)]
