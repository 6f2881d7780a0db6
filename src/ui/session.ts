import { computed, effect, signal } from "@preact/signals"
import { clearDrafts } from "./drafts.ts"
import { api } from "./server/api.ts"
import { type Failure, fetchJson, request, sessionEnded } from "./server/request.ts"

/** The own account, with e-mail address, balance, and whether the password is still the initial one. */
export type Account = Extract<Awaited<ReturnType<typeof api.api.v1.me.get>>, { error: null }>["data"]

/** Whoever is logged in. */
export type Me = Pick<Account, "name" | "username" | "dept" | "avatar" | "role">

/** What the service is like here: its tags, what members see of each other. */
type Service = Extract<Awaited<ReturnType<typeof api.api.v1.service.get>>, { error: null }>["data"]

type Session =
  /** Not asked yet. */
  | { readonly kind: "unknown" }
  | { readonly kind: "anonymous" }
  | { readonly kind: "member"; readonly me: Me; readonly service: Service }
  /** It ended elsewhere: what is on the page stays, under the log-in. */
  | { readonly kind: "ended"; readonly me: Me; readonly service: Service }
  | { readonly kind: "failed"; readonly answer: Failure }

/** Who uses this page. */
export const session = signal<Session>({ kind: "unknown" })

/** Whose page it is; null for strangers and as long as it is not known. */
export const me = computed(() => ("me" in session.value ? session.value.me : null))

const username = computed(() => me.value?.username)

/** Has `forget` called at once, and whenever somebody else uses this page, or nobody: what one may read is not for all. */
export function onUserChange(forget: () => void) {
  username.subscribe(forget)
}

/** What the team has set; null for strangers. */
export const service = computed(() => ("service" in session.value ? session.value.service : null))

/** The own account as last told; null until it is. */
export const account = signal<Account | null>(null)

/** Why the account is not told. */
export const accountFailure = signal<Failure | null>(null)

/** What the log-in page says above its form, once. */
export const loginNotice = signal<"ended" | "changed" | "wallKey" | null>(null)

effect(() => {
  if (!sessionEnded.value) return
  sessionEnded.value = false
  const now = session.peek()
  if (now.kind === "member") {
    loginNotice.value = "ended"
    session.value = { ...now, kind: "ended" }
  } else if (now.kind !== "ended") setAnonymous()
})

/** A page that the back button brings out of the browser's memory may show somebody who has left. */
window.addEventListener("pageshow", ({ persisted }) => {
  if (!persisted) return
  session.value = { kind: "unknown" }
  void loadSession()
})

/** Resolves once it is known who uses this page, or why not. */
export const sessionKnown = (): Promise<void> => waitUntil(() => session.value.kind !== "unknown")

/** Whoever the cookie belongs to, with the team's settings; null for strangers. */
type SessionData = (Account & { readonly service: Service }) | null

/** Without a 401 for strangers. */
const fetchSession = () => fetchJson<SessionData>(fetch("/api/v1/session"))

/** Asks the server who one is. */
export async function loadSession(): Promise<void> {
  const answer = await fetchSession()
  if (answer.kind !== "done") session.value = { kind: "failed", answer }
  else if (answer.data === null) setAnonymous()
  else setMember(answer.data)
}

/** Whether it is still the same person's session; what cannot be asked stays as it is. */
export async function checkSession(): Promise<void> {
  const answer = await fetchSession()
  if (answer.kind !== "done") return
  if (answer.data === null) sessionEnded.value = session.peek().kind !== "anonymous"
  else if (session.peek().kind !== "member" || answer.data.username !== me.peek()?.username) setMember(answer.data)
}

/** Tells the other tabs of this browser, which have the same cookie, that it changed. */
const cookieChanged = new BroadcastChannel("session")
cookieChanged.onmessage = () => void checkSession()

/** Balance and profile as they are now. */
export async function refreshAccount(): Promise<void> {
  const answer = await request(api.api.v1.me.get())
  accountFailure.value = answer.kind === "done" ? null : answer
  if (answer.kind === "done") account.value = answer.data
}

/** What an act of one's own made of the account: shown everywhere at once. */
export function updateAccount(updated: Account) {
  account.value = updated
  if (session.value.kind === "member") session.value = { ...session.value, me: { ...session.value.me, ...updated } }
}

/** @returns the refusal, or null when one is in */
export async function logIn(username: string, password: string): Promise<Failure | null> {
  const body = new URLSearchParams({ username, password })
  const answer = await fetchJson<unknown>(fetch("/login", { method: "POST", body }))
  if (answer.kind !== "done") return answer
  await loadSession()
  cookieChanged.postMessage(null)
  return null
}

/** @returns why it failed, or null when one is out */
export async function logOut(): Promise<Failure | null> {
  const answer = await request(api.logout.post())
  if (answer.kind !== "done") return answer
  clearDrafts()
  setAnonymous()
  cookieChanged.postMessage(null)
  return null
}

function setMember({ service, ...own }: NonNullable<SessionData>) {
  loginNotice.value = null
  account.value = own
  accountFailure.value = null
  session.value = { kind: "member", me: own, service }
}

function setAnonymous() {
  account.value = null
  session.value = { kind: "anonymous" }
}

/** Resolves once this holds; the signals that it reads are followed until then. */
export function waitUntil(holds: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const unfollow = effect(() => {
      if (!holds()) return
      queueMicrotask(() => unfollow())
      resolve()
    })
  })
}
