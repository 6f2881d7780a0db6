import type * as en from "../en/points.ts"

export const units: typeof en.units = { one: "ponto", many: "pontos" }

export const points: typeof en.points = { one: "# {unit}", other: "# {units}" }
