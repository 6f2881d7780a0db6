import type { Kind } from "./kinds.ts"

/** `optional` settings are null when nobody sets them; `required` ones have no default. */
export type Presence = "defaulted" | "optional" | "required"

export interface Setting<T, P extends Presence = Presence> {
  readonly kind: Kind<T>
  readonly default: T | null
  readonly presence: P
  /** Shown in the file that `init` writes where there is no default. */
  readonly example: T | null
  /** One line without full stop. */
  readonly meaning: string
  /** The value never stands in a message. */
  readonly secret: boolean
  /** Name of the command-line flag where it is not the key's, without dashes. */
  readonly flag: string | null
}

type Extra = Partial<Pick<Setting<unknown>, "secret" | "flag">>

export function setting<T>(kind: Kind<T>, value: NoInfer<T>, meaning: string, extra?: Extra): Setting<T, "defaulted"> {
  return { kind, default: value, presence: "defaulted", example: null, meaning, secret: false, flag: null, ...extra }
}

export function optional<T>(
  kind: Kind<T>,
  example: NoInfer<T>,
  meaning: string,
  extra?: Extra,
): Setting<T, "optional"> {
  return { kind, default: null, presence: "optional", example, meaning, secret: false, flag: null, ...extra }
}

export function required<T>(kind: Kind<T>, meaning: string): Setting<T, "required"> {
  return { kind, default: null, presence: "required", example: null, meaning, secret: true, flag: null }
}

/** Type of a setting's value in the configuration. */
export type Value<S> = S extends Setting<infer T, infer P> ? T | (P extends "optional" ? null : never) : never
