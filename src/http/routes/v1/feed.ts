import { Elysia } from "elysia"
import type { App } from "../../../app.ts"
import { credentials, describe, one } from "../../documented.ts"
import type { doors } from "../../guards.ts"
import { FeedQuery, feedView } from "../../v1/feed.ts"

interface Dependencies {
  readonly app: Pick<App, "feed">
  readonly door: ReturnType<typeof doors>
}

/** Who thanked whom, the newest first. */
export function feedRoutes({ app: { feed }, door }: Dependencies) {
  return new Elysia()
    .use(door)
    .get(
      "/api/v1/feed",
      async ({ caller: { user }, query: { username, before, size } }) =>
        feedView(await feed.page(user, { username, before: numbered(before), size: numbered(size) })),
      {
        members: true,
        query: FeedQuery,
        detail: describe("Recognition", "List who thanked whom, the newest first", 200, one("FeedPage"), [
          ...credentials,
          "invalid",
        ]),
      },
    )
}

const numbered = (text: string | undefined) => (text === undefined ? undefined : Number(text))
