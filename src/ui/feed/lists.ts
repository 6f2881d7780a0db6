import { forgetBetweenPeople } from "../session.ts"
import { createFeedList, type FeedList } from "./list.ts"

/** So many persons' lists are kept beside the feed. */
const most = 8

const lists = new Map<string | null, FeedList>()
forgetBetweenPeople(() => lists.clear())

/** The feed, or what one person takes part in: whoever comes back to a screen finds it as it was. */
export function listOf(person: string | null): FeedList {
  const list = lists.get(person) ?? createFeedList(person)
  lists.delete(person)
  lists.set(person, list)
  const oldest = lists.keys().find((key) => key !== null)
  if (lists.size > most && oldest !== undefined) lists.delete(oldest)
  return list
}
