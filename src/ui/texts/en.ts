import { admin, health, imports, keys, palette } from "./en/admin.ts"
import { history } from "./en/history.ts"
import { feed, give, home, received } from "./en/home.ts"
import { leaderboard, people, person, profile } from "./en/people.ts"
import type { Plural } from "./plural.ts"

/** The words of the app. Every other language has the same keys: `texts/pt.ts` does not compile while one is missing. */
export const en = {
  language: "English",
  noScript: "This page needs JavaScript. Please switch it on for this address.",

  ordinals: { one: "#st", two: "#nd", few: "#rd", other: "#th" } as Plural,
  points: { one: "# point", other: "# points" } as Plural,

  shell: {
    skip: "Skip to content",
    navigation: "Main",
    home: "Home",
    people: "People",
    history: "History",
    leaderboard: "Leaderboard",
    wall: "Wall",
    admin: "Admin",
    me: "My profile",
    account: "Account",
    logOut: "Log out",
    appearance: "Appearance",
    light: "Light",
    dark: "Dark",
    asDevice: "System",
    language: "Language",
  },

  login: {
    title: "Log in",
    username: "Username or e-mail",
    password: "Password",
    show: "Show password",
    hide: "Hide password",
    submit: "Log in",
    forgot: "Forgot your password?",
    missingUsername: "Enter your username or e-mail address.",
    missingPassword: "Enter your password.",
    ended: "Your session has ended. Log in to continue where you left off.",
    changed: "Your password has been changed. Log in with the new one.",
    wallKey: "This wall's link no longer works. Ask whoever runs the server for the new one, or log in.",
  },

  forgot: {
    title: "Forgot your password?",
    lead: "Enter your e-mail address and we'll send you a link to set a new one.",
    email: "E-mail address",
    submit: "Send link",
    missing: "Enter your e-mail address.",
    wrong: "Enter a full e-mail address, such as ana@example.com.",
    sentTitle: "Check your e-mail",
    sent: "If there is an account with this address, a link is on its way. It works once, and only for a few minutes.",
    again: "Use a different address",
    back: "Back to log in",
  },

  reset: {
    title: "Set a new password",
    password: "New password",
    confirm: "Repeat password",
    submit: "Set password",
    missing: "Enter a new password.",
    differ: "The passwords don't match.",
    spentTitle: "This link no longer works",
    spent: "A link works once, and only for a few minutes. You can request a new one.",
    missingTitle: "The link is incomplete",
    missingLink: "Open the link in the e-mail again, or request a new one.",
    ask: "Request a new link",
  },

  home,
  give,
  feed,
  received,

  people,
  person,
  profile,
  leaderboard,

  history,
  admin,
  imports,
  health,
  palette,
  keys,

  missing: {
    title: "Page not found",
    text: "There is no page at this address.",
    back: "Go home",
  },

  parts: {
    left: "{number} characters left",
    noneFound: "No one found",
    found: { one: "# found", other: "# found" } as Plural,
  },

  live: {
    live: "Live",
    trying: "Connecting",
    down: "Not live since {time}",
  },

  wall: {
    title: "Wall",
    from: "from",
    empty: "No recognition yet",
    invitation: "Thank someone at {address} and it will appear here.",
    fullScreen: "Full screen",
    leaveFullScreen: "Exit full screen",
    back: "Back",
  },

  failures: {
    unreachable: "The server can't be reached. Nothing has changed; try again.",
    broken: "Something went wrong on the server. Try again; if it keeps happening, tell whoever looks after it.",
    screenTitle: "Not loaded",
    screen: "This page could not be loaded.",
    screenWaits: "It will load by itself as soon as the server can be reached.",
    unloaded: "The server can't be reached. This will load by itself as soon as it can.",
    locked: "Your session has ended. This will load once you have logged in.",
    part: "This could not be loaded. Reload the page when the server can be reached.",
    retry: "Try again",
    wait: "Try again in {time}.",
  },

  /** Sentences of the server in other words; what is not here is shown as the server says it. */
  details: {
    "Too many failed logins for this account from this address": "Too many failed log-ins.",
    "Too many passwords are being checked; try again in a moment": "Too many passwords are being checked.",
    "password: none of the most common passwords":
      "This password is one of the first that people guess. Choose another one.",
    "Invalid Session ID": "Your session had ended, and nothing was sent. Send it again.",
    "Could not validate credentials": "Your session had ended, and nothing was sent. Send it again.",
  } as Readonly<Record<string, string>>,
}

export type Texts = typeof en
