import { core, enterprise } from "./schemas.ts"
import { ScimError } from "./scim-errors.ts"

/*
 * Paths and filters of SCIM (RFC 7644, sections 3.4.2.2 and 3.5.2). Names of attributes and URNs ignore case (RFC 7643, section
 * 2.1), and are returned in lower case. Of filters only `eq` and `and` are supported.
 */

/** An attribute, such as `emails[type eq "work"].value`. */
export interface Path {
  /** In lower case. The URN of the extension for the extension itself; empty for the whole resource. */
  readonly attribute: string
  /** In lower case. An attribute of the extension is a sub-attribute of it. */
  readonly sub: string | null
  /** The filter that selects values of a list, not yet parsed; null for all of them. */
  readonly filter: string | null
}

interface Condition {
  /** In lower case: an attribute, and a sub-attribute after a dot. */
  readonly name: string
  readonly value: unknown
}

/** Of a path or filter. */
const maxLength = 1000

/** Null if the text is no path. */
export function pathOrNone(text: string): Path | null {
  const match = text.length > maxLength ? null : /^([a-z][\w$:.-]*)(?:\[(.*)\](?:\.([\w$]+))?)?$/is.exec(text)
  if (match === null) return null
  const [, name = "", filter = null, selected] = match
  const { attribute, sub } = named(name.toLowerCase())
  return { attribute, sub: selected?.toLowerCase() ?? sub, filter }
}

/** The attribute and sub-attribute of a name in lower case. */
function named(name: string): Omit<Path, "filter"> {
  const [ofCore, ofExtension] = [core.toLowerCase(), enterprise.toLowerCase()]
  if (name === ofCore) return { attribute: "", sub: null }
  if (name === ofExtension) return { attribute: ofExtension, sub: null }
  if (name.startsWith(`${ofExtension}:`)) return { attribute: ofExtension, sub: name.slice(ofExtension.length + 1) }
  const bare = name.startsWith(`${ofCore}:`) ? name.slice(ofCore.length + 1) : name
  const [attribute = "", sub = null] = bare.includes(":") ? [bare] : bare.split(/\.(.*)/s)
  return { attribute, sub }
}

/** The conditions of a filter, all of which must hold. @throws ScimError `refusal` */
export function conditionsIn(text: string, refusal: "invalidFilter" | "invalidPath"): readonly Condition[] {
  const filter = text.trim()
  let at = 0
  if (filter.length > maxLength) throw unsupported()
  const conditions = joined("")
  if (at < filter.length) throw unsupported()
  return conditions

  /** `prefix` is the list whose values the conditions select. */
  function joined(prefix: string): Condition[] {
    const found: Condition[] = []
    do found.push(...next(prefix))
    while (taken(/\s+and\s+/iy) !== null)
    return found
  }

  function next(prefix: string): Condition[] {
    const { attribute, sub } = named(demanded(/[a-z][\w$:.-]*/iy).toLowerCase())
    const list = `${prefix}${attribute}`
    if (prefix !== "" || taken(/\[\s*/y) === null)
      return [{ name: sub === null ? list : `${list}.${sub}`, value: compared() }]
    const inside = joined(`${list}.`)
    demanded(/\s*\]/y)
    const selected = taken(/\.[\w$]+/y)
    return selected === null ? inside : [...inside, { name: list + selected.toLowerCase(), value: compared() }]
  }

  function compared(): unknown {
    demanded(/\s+eq\s+/iy)
    const literal = demanded(/"(?:[^"\\]|\\.)*"|true|false/iy)
    try {
      return JSON.parse(literal.startsWith('"') ? literal : literal.toLowerCase())
    } catch {
      throw unsupported()
    }
  }

  function taken(pattern: RegExp): string | null {
    pattern.lastIndex = at
    const [found] = pattern.exec(filter) ?? [null]
    at += found?.length ?? 0
    return found
  }

  function demanded(pattern: RegExp): string {
    const found = taken(pattern)
    if (found === null) throw unsupported()
    return found
  }

  function unsupported(): ScimError {
    return new ScimError(refusal, "filter: only conditions with eq, joined by and")
  }
}
