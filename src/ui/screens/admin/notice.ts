import { signal } from "@preact/signals"

/** What just happened to somebody's account, said on the page of it. */
export const accountNotice = signal<{ readonly username: string; readonly words: string } | null>(null)
