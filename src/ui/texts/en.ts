import { admin, health, imports, keys, palette } from "./en/admin.ts"
import { history } from "./en/history.ts"
import { feed, give, home, received } from "./en/home.ts"
import { leaderboard, people, person, profile } from "./en/people.ts"
import type { Plural } from "./plural.ts"

/** The words of the app. Every other language has the same keys: `texts/pt.ts` does not compile while one is missing. */
export const en = {
  language: "English",
  noScript: "This page needs JavaScript. Please switch it on for this address.",

  points: { one: "# point", other: "# points" } as Plural,

  shell: {
    skip: "To the content",
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
    asDevice: "As the device",
    language: "Language",
  },

  login: {
    title: "Log in",
    username: "User name or e-mail",
    password: "Password",
    show: "Show the password",
    hide: "Hide the password",
    submit: "Log in",
    forgot: "Forgot your password?",
    missingUsername: "Enter your user name or e-mail address.",
    missingPassword: "Enter your password.",
    ended: "Your session has ended. Log in to go on where you were.",
    changed: "Your password is changed. Log in with it.",
    wallKey: "The link of this wall does not open it any more. Ask whoever runs the server for the new one, or log in.",
  },

  forgot: {
    title: "Forgot your password?",
    lead: "Enter your e-mail address, and we send you a link to set a new one.",
    email: "E-mail address",
    submit: "Send the link",
    missing: "Enter your e-mail address.",
    wrong: "Enter a whole e-mail address, such as ana@example.com.",
    sentTitle: "Look into your e-mail",
    sent: "If an account has this address, a link is on its way. It works once and only for a few minutes.",
    again: "Use another address",
    back: "Back to log in",
  },

  reset: {
    title: "Set a new password",
    password: "New password",
    confirm: "The same once more",
    submit: "Set password",
    missing: "Enter a new password.",
    differ: "The two passwords are not the same.",
    spentTitle: "This link does not work any more",
    spent: "A link works once and only for a few minutes. You can ask for a new one.",
    missingTitle: "The link is missing",
    missingLink: "Open the link in the e-mail once more, or ask for a new one.",
    ask: "Ask for a new link",
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
    title: "Nothing here",
    text: "There is no page at this address.",
    back: "Go home",
  },

  parts: {
    left: "{number} characters left",
    found: { one: "# fits", other: "# fit" } as Plural,
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
    invitation: "Thank somebody at {address}, and it is here.",
    fullScreen: "Full screen",
    leaveFullScreen: "Leave full screen",
    back: "Back",
  },

  failures: {
    unreachable: "The server cannot be reached. Nothing was changed; try again.",
    broken: "Something went wrong on the server. Try again; if it stays, tell whoever looks after it.",
    screenTitle: "Not loaded",
    screen: "This page could not be loaded.",
    screenWaits: "It loads by itself as soon as the server can be reached.",
    unloaded: "The server cannot be reached. This loads by itself as soon as it can.",
    locked: "Your session has ended. This loads once you have logged in.",
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
