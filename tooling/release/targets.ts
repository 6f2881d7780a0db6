import type { Platform } from "../../build.ts"

/** One executable of a release. */
export interface Target {
  /** Its name, part of the archive's name. */
  readonly name: string
  readonly bun: Platform
  readonly os: "linux" | "darwin" | "windows"
  /** Debian's name of the processor, if there is a package for it. */
  readonly debian?: "amd64" | "arm64"
}

/**
 * The targets of a release. Bun 1.4 has one runtime for all x64 processors since Nehalem (2008), named both "baseline"
 * and "modern"; "baseline" is requested in case they differ again.
 */
export const targets: readonly Target[] = [
  { name: "linux-x64", bun: "bun-linux-x64-baseline", os: "linux", debian: "amd64" },
  { name: "linux-arm64", bun: "bun-linux-arm64", os: "linux", debian: "arm64" },
  { name: "linux-x64-musl", bun: "bun-linux-x64-baseline-musl", os: "linux" },
  { name: "linux-arm64-musl", bun: "bun-linux-arm64-musl", os: "linux" },
  { name: "darwin-x64", bun: "bun-darwin-x64", os: "darwin" },
  { name: "darwin-arm64", bun: "bun-darwin-arm64", os: "darwin" },
  { name: "windows-x64", bun: "bun-windows-x64-baseline", os: "windows" },
  { name: "windows-arm64", bun: "bun-windows-arm64", os: "windows" },
]

/** @throws Error that lists the known names */
export function targetsNamed(names: readonly string[]): readonly Target[] {
  const unknown = names.filter((name) => !targets.some((target) => target.name === name))
  if (unknown.length > 0)
    throw new Error(`no target ${unknown.join(", ")}; there are ${targets.map(({ name }) => name).join(", ")}`)
  return names.length === 0 ? targets : targets.filter(({ name }) => names.includes(name))
}
