import { cautions } from "../../config/rules.ts"
import type { SecretlessConfig } from "../../config/settings.ts"
import type { Fault } from "../../config/sources.ts"
import { bad, type Finding, orOk, warn } from "./finding.ts"

/** Settings that stop the start. */
export const faultFindings = (faults: readonly Fault[]): Finding[] =>
  faults.map(({ path, source, expected }) =>
    bad("settings", `${path ?? source} cannot be used`, `give ${expected} (${source})`),
  )

/** Settings with which it starts, and is less safe than it could be. */
export const checkSettings = (config: SecretlessConfig): readonly Finding[] =>
  orOk(
    cautions(config).map(({ about, problem, cure }) => warn("settings", `${about}: ${problem}`, cure)),
    "settings",
    "nothing in them is unsafe",
  )
