import type * as en from "../en/points.ts"

export const units: typeof en.units = { one: "point", many: "points" }

export const points: typeof en.points = { one: "# {unit}", other: "# {units}" }
