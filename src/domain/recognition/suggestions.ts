import { dayMs } from "../calendar.ts"
import type { Clock } from "../clock.ts"
import { invalid } from "../errors.ts"
import { checkedNote } from "../ledger/notes.ts"
import { type PersonSummary, takesPart, type User } from "../people/model.ts"
import { adminUsername } from "../people/users.ts"
import type { Store } from "../store.ts"

export const maxTemplates = 10

/** How many recent recognitions of the viewer are read, and how many colleagues. */
const [maxRecognitionsRead, maxColleagues] = [200, 200]
const [shownRecent, shownOverlooked] = [5, 3]
/** People whom the viewer has not thanked for this long count as overlooked. */
const overlookedDays = 30

/** Somebody to thank. */
interface Suggestion extends PersonSummary {
  readonly because:
    | "recent"
    /** The viewer has not thanked them for a month. Others may have thanked them. */
    | "overlooked"
}

interface Dependencies {
  readonly store: Pick<Store, "people" | "recognitions" | "users">
  readonly clock: Clock
}

/** Suggestions in the form for giving points: people to thank, and saved reasons. */
export function createSuggestions({ store, clock }: Dependencies) {
  return {
    /**
     * First the people with whom the viewer exchanged recognition last. Then people among these and among the
     * colleagues in the department whom the viewer has not thanked for a month. The cost depends on neither the number
     * of people nor the length of the ledger.
     */
    async people(viewer: User): Promise<readonly Suggestion[]> {
      const now = clock()
      const known = await store.recognitions.newest({ participantIds: [viewer.id], limit: maxRecognitionsRead })
      const others = new Set(known.map(({ senderId, receiverId }) => (senderId === viewer.id ? receiverId : senderId)))
      const thanked = new Set(
        known
          .filter(({ senderId, date }) => senderId === viewer.id && date > now - overlookedDays * dayMs)
          .map(({ receiverId }) => receiverId),
      )
      const colleagues = await store.users.idsInDept(viewer.dept, maxColleagues)
      const isOffered = await offeredAmong([...others, ...colleagues], viewer)
      const recent = [...others].filter(isOffered).slice(0, shownRecent)
      const overlooked = [...new Set([...[...others].toReversed(), ...rotated(colleagues, Math.floor(now / dayMs))])]
        .filter((id) => isOffered(id) && !thanked.has(id) && !recent.includes(id))
        .slice(0, shownOverlooked)
      const faces = await store.people.summaries([...recent, ...overlooked])
      return faces.map((face) => ({ ...face, because: recent.includes(face.id) ? "recent" : "overlooked" }))
    },

    templates: (user: User) => store.users.templatesOf(user.id),

    /** Replaces the reasons that the user saved as templates. @throws DomainError `invalid` (`items`, `reason`) */
    async saveTemplates(user: User, given: readonly string[]): Promise<readonly string[]> {
      if (given.length > maxTemplates) throw invalid("items", `at most ${maxTemplates} reasons`)
      const reasons = given.map((reason) => checkedNote({ reason })?.reason ?? "")
      const kept = [...new Set(reasons)].filter((reason) => reason !== "")
      await store.users.saveTemplates(user.id, kept)
      return kept
    },
  }

  async function offeredAmong(ids: readonly number[], viewer: User) {
    const users = await store.users.byIds([...new Set(ids)])
    const offered = new Set(
      users
        .filter((user) => takesPart(user) && user.id !== viewer.id && user.username !== adminUsername)
        .map(({ id }) => id),
    )
    return (id: number) => offered.has(id)
  }
}

/** Rotates the list by one each day, so that other colleagues come first. */
const rotated = (ids: readonly number[], day: number): readonly number[] => {
  const at = ids.length === 0 ? 0 : day % ids.length
  return [...ids.slice(at), ...ids.slice(0, at)]
}
