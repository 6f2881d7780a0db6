import type { Plural } from "../writing.ts"

/** What people call points, unless the programme says it: `{unit}` and `{units}` in texts, `{Units}` at their beginning. */
export const units = { one: "point", many: "points" }

export const points = { one: "# {unit}", other: "# {units}" } as Plural
