import { computed, effect, signal } from "@preact/signals"
import { kept } from "./kept.ts"
import { api } from "./server/api.ts"
import { ask, asked, type Failure } from "./server/ask.ts"
import { sessionEnded } from "./server/session-ended.ts"

/** Whoever is logged in. */
export interface Me {
  readonly name: string
  readonly username: string
  readonly dept: string
  readonly avatar: string | null
  readonly bio: string | null
  readonly balance: number
  readonly superuser: boolean
}

type Session =
  /** Not asked yet. */
  | { readonly kind: "unknown" }
  | { readonly kind: "stranger" }
  | { readonly kind: "member"; readonly me: Me }
  | { readonly kind: "failed"; readonly answer: Failure }

/** Who uses this page. */
export const session = signal<Session>({ kind: "unknown" })

/** Whoever is logged in; null for strangers and as long as it is not known. */
export const me = computed(() => (session.value.kind === "member" ? session.value.me : null))

/** What the log-in page says above its form, once. */
export const loginNotice = signal<"ended" | "changed" | null>(null)

effect(() => {
  if (!sessionEnded.value) return
  sessionEnded.value = false
  if (session.peek().kind === "member") loginNotice.value = "ended"
  session.value = { kind: "stranger" }
})

const lastUsername = kept("username")

/** Asks the server who one is, without a 401 for strangers. */
export async function loadSession(): Promise<void> {
  const username = lastUsername.get()
  if (username === null) {
    session.value = { kind: "stranger" }
    return
  }
  // The balance is told to whoever it belongs to, and to strangers the rest.
  const answer = await ask(api.user({ username }).get({ query: { show_balance: "true" } }))
  if (answer.kind !== "done") session.value = { kind: "failed", answer }
  else session.value = sessionOf(answer.data)
}

function sessionOf(user: Omit<Me, "balance" | "superuser"> & { readonly balance?: number }): Session {
  const { balance } = user
  if (balance === undefined) return { kind: "stranger" }
  return { kind: "member", me: { ...user, balance, superuser: user.dept === "management" } }
}

/** @returns the refusal, or null when one is in */
export async function logIn(username: string, password: string) {
  const body = new URLSearchParams({ username, password })
  const answer = await asked<unknown>(fetch("/login", { method: "POST", body }))
  if (answer.kind !== "done") return answer
  loginNotice.value = null
  lastUsername.set(username)
  await loadSession()
  return null
}

export async function logOut() {
  const answer = await ask(api.logout.post())
  if (answer.kind !== "done") return answer
  lastUsername.set(null)
  session.value = { kind: "stranger" }
  return null
}
