import type { api } from "../server/api.ts"

type FeedPage = Extract<Awaited<ReturnType<typeof api.api.v1.feed.get>>, { error: null }>["data"]

/** One recognition, as the feed lists it and the stream tells it. */
export type Recognition = FeedPage["items"][number]

/** What comes over the line: a recognition, or that everything through this id was sent. */
export type Message<Entry = Recognition> = Entry | { readonly through: number }
