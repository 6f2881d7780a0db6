import { computed, effect, signal } from "@preact/signals"
import type { Language } from "../domain/languages.ts"
import { atMost } from "./at-most.ts"
import { forgetStored, keptFeed, lastUser, renameDrafts } from "./browser-storage.ts"
import { loginMethods, typedName } from "./login-methods.ts"
import { api, type Failure, fetchJson, request, sessionEnded } from "./server/api.ts"
import { chooseLanguage, loadPreferredLanguage, namePoints } from "./texts/texts.ts"

/** The user's own account, with e-mail address, balance, and whether the password is the initial one. */
export type Account = Extract<Awaited<ReturnType<typeof api.api.v1.me.get>>, { error: null }>["data"]

/** The logged-in user. */
export type Me = Pick<Account, "name" | "username" | "dept" | "avatar" | "role">

/** Settings of the service that the app needs, such as the tags and what members may see. */
type Service = Extract<Awaited<ReturnType<typeof api.api.v1.service.get>>, { error: null }>["data"]

/** What those who run the programme decide: rules of giving, and what is shown. */
export type Programme = Extract<Awaited<ReturnType<typeof api.api.v1.programme.get>>, { error: null }>["data"]

type Session =
  /** The session has not been loaded yet. */
  | { readonly kind: "unknown" }
  | { readonly kind: "anonymous" }
  | ({ readonly kind: "member" } & Known)
  /** The session ended elsewhere: the page stays as it is, under the log-in dialog. */
  | ({ readonly kind: "ended" } & Known)
  | { readonly kind: "failed"; readonly answer: Failure }

/** What is known while somebody is logged in. */
interface Known {
  readonly me: Me
  /** What the user was called before. */
  readonly former: readonly string[]
  readonly service: Service
  readonly programme: Programme
}

/** The session of this page. */
export const session = signal<Session>({ kind: "unknown" })

/** The current user; null if nobody is logged in or it is not known yet. */
export const me = computed(() => ("me" in session.value ? session.value.me : null))

const username = computed(() => me.value?.username)

/** Whether this is the current user, also by a former username: what the browser keeps names its user. */
export const isMe = (one: string): boolean =>
  "me" in session.value && (session.value.me.username === one || session.value.former.includes(one))

/** Calls `forget` now and whenever the user changes or logs out, so that no user sees another user's data. */
export function onUserChange(forget: () => void) {
  username.subscribe(forget)
}

const ends: (() => void)[] = []
const logOuts: (() => void)[] = []

/** Calls `act` when the session has ended, in whatever way, to stop what must not go on for the next user of this browser. */
export function onSessionEnd(act: () => void) {
  ends.push(act)
}

/** Calls `forget` when the user logs out, in this tab or in another one: nothing may wait for the user to return. */
export function onLogOut(forget: () => void) {
  logOuts.push(forget)
}

/** The settings of the service; null while nobody is logged in. */
export const service = computed(() => ("service" in session.value ? session.value.service : null))

/** The programme in force; null while nobody is logged in. */
export const programme = computed(() => ("programme" in session.value ? session.value.programme : null))

effect(() => {
  if (programme.value !== null) namePoints(programme.value.points_name)
})

/** The time zone of the service's days, weeks and months. */
export const serviceZone = computed(() => service.value?.time_zone ?? "UTC")

/** The user's own account as last loaded; null until then. */
export const account = signal<Account | null>(null)

effect(() => {
  const language = account.value?.language
  if (language) void chooseLanguage(language)
})

/** Changes the language here, and of all that reaches the user elsewhere. */
export async function speak(language: Language): Promise<void> {
  await chooseLanguage(language)
  const answer = await request(api.api.v1.me.patch({ language }))
  if (answer.kind === "done") updateAccount(answer.data)
}

/** Why the account failed to load. */
export const accountFailure = signal<Failure | null>(null)

/** Whether the user must set up a second factor before anything else. */
export const mustSetUpFactor = signal(false)

/** The message above the log-in form. */
export const loginNotice = signal<"ended" | "changed" | "again" | null>(null)

effect(() => {
  if (!sessionEnded.value) return
  sessionEnded.value = false
  const now = session.peek()
  if (now.kind === "member") {
    loginNotice.value = "ended"
    session.value = { ...now, kind: "ended" }
    endHere()
  } else if (now.kind !== "ended") setAnonymous()
})

/** The back-forward cache may restore a page of a user who has logged out. Nothing of it is shown until that is known. */
window.addEventListener("pagehide", ({ persisted }) => {
  document.body.hidden = persisted
})
window.addEventListener("pageshow", ({ persisted }) => {
  if (!persisted) return
  session.value = { kind: "unknown" }
  void loadSession().then(() => {
    document.body.hidden = false
  })
})

/** Resolves once the session is loaded or has failed to load. */
export const sessionKnown = (): Promise<void> => waitUntil(() => session.value.kind !== "unknown")

/** The account of the session cookie with the service settings; null if there is no session. */
type SessionData =
  | (Account &
      Omit<Known, "me" | "former"> & {
        readonly second_factor_missing: boolean
        readonly former_usernames: readonly string[]
      })
  | null

/** This route answers 200 without a session, so the console stays free of 401s. */
const fetchSession = (signal: AbortSignal | null = null) => fetchJson<SessionData>(fetch("/api/v1/session", { signal }))

export async function loadSession(): Promise<void> {
  const answer = await fetchSession()
  if (answer.kind !== "done") session.value = { kind: "failed", answer }
  else if (answer.data === null) setAnonymous()
  else setMember(answer.data)
}

/**
 * Checks whether the session still belongs to the same user. Returns whether there is a session; false, with the state
 * unchanged, if the request fails or is aborted.
 */
export async function checkSession(signal?: AbortSignal): Promise<boolean> {
  const answer = await fetchSession(signal)
  if (answer.kind !== "done") return false
  if (answer.data === null) sessionEnded.value = session.peek().kind !== "anonymous"
  else if (session.peek().kind !== "member" || answer.data.username !== me.peek()?.username) setMember(answer.data)
  return answer.data !== null
}

/** Tells the other tabs of this browser that the session cookie changed, because they share it. */
const cookieChanged = new BroadcastChannel("session")
const loggedOut = "logged out"
cookieChanged.onmessage = ({ data }) => {
  if (data !== loggedOut) return void checkSession()
  if (session.peek().kind !== "anonymous") loginNotice.value = "ended"
  forgetUser()
}

/** Reloads balance and profile. */
export async function refreshAccount(): Promise<void> {
  const answer = await request(api.api.v1.me.get())
  accountFailure.value = answer.kind === "done" ? null : answer
  if (answer.kind === "done") setAccount(answer.data)
}

/** Reloads the programme, which a superuser may have changed. */
export async function refreshProgramme(): Promise<void> {
  if (session.peek().kind !== "member") return
  const answer = await request(api.api.v1.programme.get())
  if (answer.kind === "done") updateProgramme(answer.data)
}

/** Stores a changed programme, so that every part of the page follows it at once. */
export function updateProgramme(changed: Programme) {
  const now = session.peek()
  if (!("programme" in now) || JSON.stringify(changed) === JSON.stringify(now.programme)) return
  session.value = { ...now, programme: changed }
  void refreshAccount() // what can be given depends on it
}

/** Stores a changed account, so that every part of the page shows it at once. */
export function updateAccount(updated: Account) {
  if (!setAccount(updated)) return
  if (session.value.kind === "member") session.value = { ...session.value, me: { ...session.value.me, ...updated } }
}

/** Returns false for a late answer to somebody who is no longer logged in here. */
function setAccount(loaded: Account): boolean {
  if (loaded.username !== me.peek()?.username) return false
  account.value = loaded
  return true
}

/** The second step of a log-in, after the password. */
export interface LoginChallenge {
  readonly second_factor: readonly ("passkey" | "totp" | "recovery")[]
  readonly challenge: string
  /** The server's options for `navigator.credentials.get`. */
  readonly passkey?: object
}

/** The log-in whose second step the log-in page shows. */
export const openChallenge = signal<LoginChallenge | null>(null)

/** Returns null on success. An account with a second factor has an `openChallenge` then. */
export async function logIn(username: string, password: string): Promise<Failure | null> {
  const body = new URLSearchParams({ username, password })
  const answer = await fetchJson<LoginChallenge | { readonly status: string }>(
    fetch("/login", { method: "POST", body }),
  )
  if (answer.kind !== "done") return answer
  if (!("challenge" in answer.data)) return enter()
  openChallenge.value = answer.data
  return null
}

/** Returns null on success. */
export async function finishLogIn(challenge: string, proof: object): Promise<Failure | null> {
  const body = JSON.stringify({ challenge, ...proof })
  const headers = { "content-type": "application/json" }
  const answer = await fetchJson<unknown>(fetch("/login/second-factor", { method: "POST", headers, body }))
  return answer.kind === "done" ? enter() : answer
}

async function enter(): Promise<null> {
  await loadSession()
  cookieChanged.postMessage(null)
  return null
}

/** Shows the log-in dialog if the server requires a recent log-in. Returns whether it does. */
export function askToLogInAgain(failure: Failure): boolean {
  const now = session.peek()
  const isStale = failure.kind === "refused" && failure.code === "login_not_recent"
  if (!isStale || now.kind !== "member") return false
  loginNotice.value = "again"
  session.value = { ...now, kind: "ended" }
  return true
}

/** Whether a log-out request is running. The live connection closes before the session ends. */
export const isLoggingOut = signal(false)

/** What should reach the server before the session ends. */
const lastActs: (() => Promise<void>)[] = []
/** How long a log-out waits for them. */
const lastActsMs = 2000
/** After this time without an answer, the page says that the log-out failed. */
const maxLogOutMs = 10_000

/** The log-out calls `act` first and waits for it a moment. Whatever becomes of it, the log-out goes on. */
export function beforeLogOut(act: () => Promise<void>) {
  lastActs.push(act)
}

/** Why the last log-out failed, as long as the user is still logged in. */
export const logOutFailure = signal<Failure | null>(null)

/** A failure is shown by the page (`logOutFailure`). */
export async function logOut(): Promise<void> {
  await atMost(lastActsMs, Promise.allSettled(lastActs.map(async (act) => act())))
  isLoggingOut.value = true
  const answer = await request(api.logout.post(undefined, { fetch: { signal: AbortSignal.timeout(maxLogOutMs) } }))
  logOutFailure.value = answer.kind === "done" ? null : answer
  if (answer.kind === "done") {
    cookieChanged.postMessage(loggedOut)
    forgetUser()
  }
  isLoggingOut.value = false
  if (answer.kind === "done" && loginMethods.oidc !== null) location.assign("/oidc/logout") // comes back to the log-in screen
}

/** Leaves nothing of the user who has logged out: on the screen, in memory, or in the storage of this browser and tab. */
function forgetUser() {
  setAnonymous()
  forgetStored({ ofTab: true })
  typedName.value = ""
  for (const forget of logOuts) forget()
  speakAsBrowser()
}

/** Without these texts, the page keeps its language. */
const speakAsBrowser = () => void loadPreferredLanguage().catch(() => {})

/** Ends what belongs to the session, even if the same user logs in next. */
function endHere() {
  keptFeed.set(null)
  for (const act of ends) act()
}

function setMember({ service, programme, second_factor_missing, former_usernames, ...own }: NonNullable<SessionData>) {
  const last = lastUser.get() ?? own.username
  if (former_usernames.includes(last)) renameDrafts(last, own.username)
  else if (last !== own.username) {
    endHere()
    forgetStored({ ofTab: false })
    speakAsBrowser()
  }
  lastUser.set(own.username)
  loginNotice.value = null
  logOutFailure.value = null
  openChallenge.value = null
  mustSetUpFactor.value = second_factor_missing
  account.value = own
  accountFailure.value = null
  session.value = { kind: "member", me: own, former: former_usernames, service, programme }
}

function setAnonymous() {
  account.value = null
  session.value = { kind: "anonymous" }
  endHere()
}

/** Resolves once `holds` returns true; it is evaluated again whenever a signal that it reads changes. */
export function waitUntil(holds: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const unfollow = effect(() => {
      if (!holds()) return
      queueMicrotask(() => unfollow())
      resolve()
    })
  })
}
