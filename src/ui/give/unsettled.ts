import { kept } from "../kept.ts"
import type { Act } from "./outbox.ts"

/** What is on its way outlasts a reload of this page, but not its tab. */
const storage = kept("outbox", () => sessionStorage)

export function keepUnsettled(acts: readonly Act[]) {
  const unsettled = acts.filter(({ state }) => state.kind !== "given")
  storage.set(unsettled.length === 0 ? null : JSON.stringify(unsettled))
}

/** What was on its way when the page was left: what became of it is not known. */
export function unsettled(): Act[] {
  const acts = JSON.parse(storage.get() ?? "[]") as Act[]
  return acts.map((act) => (act.state.kind === "sending" ? { ...act, state: { kind: "unknown" } } : act))
}
