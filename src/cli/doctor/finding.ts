/** What a check found. `cure` says what to do about it; a sound one needs none. */
export interface Finding {
  readonly check: string
  readonly verdict: "ok" | "warn" | "bad"
  readonly message: string
  readonly cure: string | null
}

export const ok = (check: string, message: string): Finding => ({ check, verdict: "ok", message, cure: null })

/** Works, but not as it should. */
export const warn = (check: string, message: string, cure: string): Finding => ({
  check,
  verdict: "warn",
  message,
  cure,
})

/** Does not work, or is not safe. */
export const bad = (check: string, message: string, cure: string): Finding => ({ check, verdict: "bad", message, cure })

/** Those that were found, or that it is sound. */
export const orOk = (findings: readonly Finding[], check: string, message: string): readonly Finding[] =>
  findings.length > 0 ? findings : [ok(check, message)]
