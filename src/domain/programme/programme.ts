import { auditEntry } from "../audit/audit-log.ts"
import type { Clock } from "../clock.ts"
import { DomainError, isOutage } from "../errors.ts"
import { type Actor, requireDuty } from "../people/roles.ts"
import type { Store } from "../store.ts"
import { defaultProgramme, type Programme } from "./model.ts"
import { earlierPointValues, type PointValue, pointValueAt } from "./point-value.ts"
import type { StoredProgramme } from "./ports.ts"
import { changed, type ProgrammeRequest } from "./programme-fields.ts"

/** How long a process uses the programme that it has read. All processes follow a change within a second. */
const freshMs = 500

interface Dependencies {
  readonly store: Pick<Store, "programme">
  readonly clock: Clock
  /** The setting `recognition.tags`: the tags of the programme until somebody decides otherwise. */
  readonly firstTags: readonly string[]
  /** Monotonic milliseconds. */
  readonly elapsed: () => number
}

export type ProgrammeRules = ReturnType<typeof createProgramme>

/** The programme in force. Every rule that depends on it asks here each time. */
export function createProgramme({ store: { programme: store }, clock, firstTags, elapsed }: Dependencies) {
  const first: Programme = {
    ...defaultProgramme,
    tags: firstTags.map((name) => ({ name, emoji: null, description: null })),
  }
  let known: Promise<Programme> | null = null
  let readAt = 0

  /** The programme, at most half a second old. Asks the store twice a second at most. */
  function current(): Promise<Programme> {
    if (known !== null && elapsed() - readAt < freshMs) return known
    const reading = read(known)
    known = reading
    readAt = elapsed()
    reading.catch(() => {
      if (known === reading) known = null
    })
    return reading
  }

  /** While the database cannot be used, the last programme stays in force. */
  async function read(last: Promise<Programme> | null): Promise<Programme> {
    try {
      return whole(await store.read())
    } catch (error) {
      if (last === null || !isOutage(error)) throw error
      return last
    }
  }

  const whole = (stored: StoredProgramme | null): Programme =>
    stored === null
      ? first
      : { ...defaultProgramme, ...stored, occasions: { ...defaultProgramme.occasions, ...stored.occasions } }

  return {
    current,

    /** What a point was worth at a moment. */
    pointValueAt: async (moment: number): Promise<PointValue | null> => pointValueAt(await store.read(), moment),

    /** Stores the first programme, when a server starts. False: there was one, and the setting of the tags is ignored. */
    begin: (): Promise<boolean> => store.begin(first),

    /**
     * Changes the given fields, if the programme still is as the actor has seen it.
     * @throws DomainError `not_superuser`; `programme_changed`; `invalid`, naming the field and its rule
     */
    async change(
      actor: Actor,
      request: ProgrammeRequest,
      isAsSeen: (before: Programme) => boolean = () => true,
    ): Promise<Programme> {
      requireDuty(actor, "programme")
      const after = await store.update((stored) => {
        const before = whole(stored)
        const after = changed(before, request)
        if (!isAsSeen(before)) throw new DomainError("programme_changed")
        const changes = changesBetween(before, after)
        const now = clock()
        const audit = auditEntry(actor, now, "programme_changed", {
          detail: changes.join("; "),
          before: { ...before },
          after: { ...after },
        })
        return {
          after: { ...after, earlier_point_values: earlierPointValues(stored, after.point_value, now) },
          audit: changes.length === 0 ? undefined : audit,
        }
      })
      known = Promise.resolve(after)
      readAt = elapsed()
      return after
    },
  }
}

/** Each value that differs, with what it was and what it is. A list is one value. */
function changesBetween(before: unknown, after: unknown, path = ""): string[] {
  if (!isObject(before) || !isObject(after)) {
    const [from, to] = [JSON.stringify(before), JSON.stringify(after)]
    return from === to ? [] : [`${path}: ${from} -> ${to}`]
  }
  return Object.keys(after).flatMap((key) =>
    changesBetween(before[key], after[key], path === "" ? key : `${path}.${key}`),
  )
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)
