import type * as en from "../en/points.ts"

export const units: typeof en.units = { one: "Punkt", many: "Punkte" }

export const points: typeof en.points = { one: "# {unit}", other: "# {units}" }
