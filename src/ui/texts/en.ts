import type { LateTexts, Plural } from "./en-late.ts"
import type { ScreenTexts } from "./en-screens.ts"

let loadedLate: LateTexts | null = null
let loadedScreens: ScreenTexts | null = null

/** Loads the texts of the administration and of API tokens, so that no other screen waits for them. */
export async function loadLateTexts(): Promise<void> {
  loadedLate ??= (await import("./en-late.ts")).late
}

/** Loads the texts of screens that people seldom begin with. */
export async function loadScreenTexts(): Promise<void> {
  loadedScreens ??= (await import("./en-screens.ts")).screenTexts
}

const late = (): LateTexts => loadedLate ?? notLoaded()
const screens = (): ScreenTexts => loadedScreens ?? notLoaded()

function notLoaded(): never {
  throw new Error("these texts are loaded with their screens (screens.tsx)")
}

const home = {
  title: "Home",
  greeting: "Hello, {name}",
  granted: "Granted this month: {points}",
  toRewards: "Redeem or give them",
  budgets: "Recent grants and allowances",
  nextAllowance: {
    add: "Next allowance: +{points} on {day}",
    top_up: "Next allowance: topped up to {points} on {day}",
    reset: "Next allowance: {points} on {day}; what is left by then expires",
  },
  due: "Waiting for you",
  nothingDue: "Nothing. All done.",
  noRequests: "There's nothing here.",
  unseen: "{count} new for you",
  openRequests: { one: "# open request for a reward", other: "# open requests for rewards" } as Plural,
  ownRequests: { one: "# reward on its way to you", other: "# rewards on their way to you" } as Plural,
  budget: "Your budget",
  given: "Given this month: {points}, {times}×",
  givenNone: "You haven't given anything this month.",
  leaders: "Most thanked this month",
  allLeaders: "Whole leaderboard",
  defaultPassword: "You still have the password this server came with, and anyone can look that up.",
  initialPassword: "You still have your first password, which is also in the settings of this server.",
  changePassword: "Change it now",
  empty: "No recognition yet. Thank someone: use the box above.",
  emptyAdmin: "No recognition yet. Here's what to do next:",
  nameAddress: "Say where your mail goes",
  nameAddressText: "Requests for rewards are mailed to {email}, which nobody reads.",
  createPeople: "Create people",
  createPeopleText: "One by one, or all at once from a spreadsheet.",
  giveFirst: "Give points",
  giveFirstText: "Use the box above, for one person, several or a whole department: everyone needs some to pass on.",
  putUpWall: "Put up the wall",
  putUpWallText: "A page for a TV, where everyone sees who thanks whom.",
}

const pockets = {
  budget: "Budget to give",
  earned: "Earned",
  noLimit: "No limit",
}

const give = {
  title: "Give points",
  to: "To whom",
  hint: "{names} …",
  hintWithoutNames: "Who helped?",
  another: "Who else?",
  remove: "Remove {name}",
  everybodyIn: "Everyone in {name}",
  people: { one: "# person", other: "# people" } as Plural,
  amount: "Points",
  amountEach: "Points each",
  rest: "Whole budget: {points}",
  restShort: "Budget: {points}",
  other: "Another amount",
  otherShort: "Other",
  reason: "What for",
  reasonHint: "What they did, and what it changed",
  recent: "recently",
  overlooked: "not for a while",
  sentTo: "Sent to {name}",
  sentToMany: { one: "Sent to # person", other: "Sent to # people" } as Plural,
  templates: "My templates",
  noTemplates: "Write a reason, then save it here to use it again.",
  keepTemplate: "Save this reason",
  deleteTemplate: "Delete “{text}”",
  tags: "Tags",
  private: "Private message",
  asGrant: "Grant: to pass on, not as thanks",
  fromBudget: "{points} from your budget",
  fromEarned: "{points} from what you earned",
  fromNothing: "{points} beyond what you have",
  sum: "{count} × {value} = {total}",
  submit: "Give",
  missingPerson: "Choose who to give to.",
  unfound: "Choose someone from the list, or clear what you typed.",
  missingAmount: "Choose how many points.",
  wrongAmount: "Enter a whole number, at least 1.",
  largestAmount: "At most {points} points.",
  tooMuch: "That's more than you have: {total} of {balance}.",
  tooMany: "You can thank at most {most} people at once; these are {count}.",
  tooLong: { one: "# character too many", other: "# characters too many" } as Plural,
  lookTitle: "Give {points}?",
  lookTitleEach: "Give {points} to each?",
  lookFinal: "This can't be undone.",
  confirm: "Give {points}",
  back: "Go back",
  sending: "On its way",
  unknown: "It is not known whether this arrived.",
  tryAgain: "Try again",
  expired: "It is not known whether this arrived, and it is too late to find out.",
  lookUp: "Look in your history",
  forget: "Dismiss",
  refused: "Not given: {words}",
  bringBack: "Put it back in the box",
  shrunk: "Not given yet: you now have {points}. Check the amount and give again.",
}

const feed = {
  title: "Recognition",
  to: "to",
  youFrom: "You",
  youTo: "you",
  each: "each",
  more: { one: "# more", other: "# more" } as Plural,
  private: "private",
  hidden: "private message",
  reversed: "{points} taken back",
  reversedWhole: "taken back",
  older: "Show older",
  end: "This is where it all began.",
  empty: "No recognition yet. Thank someone.",
  news: "{from} gave {to} {points}.",
  manyNews: { one: "# new entry", other: "# new entries" } as Plural,
  react: "React",
  reactions: "{name}: {count}",
  emojis: { "👏": "Applause", "❤️": "Heart", "🎉": "Party", "🙏": "Thanks", "😄": "Smile" },
  reply: "Reply",
  replies: { one: "# reply", other: "# replies" } as Plural,
  repliesTitle: "Replies",
  replyTo: "Reply to {name}",
  replyHint: "One line",
  sendReply: "Reply",
  deleteReply: "Delete",
  hideReply: "Hide",
  showReply: "Show again",
  hiddenReply: "hidden",
  filter: "Show",
  everybody: "Everyone",
  aboutMe: "About me",
  myDepartment: "My department",
  filters: "Filters",
  person: "Person",
  department: "Department",
  anyDepartment: "Any department",
  tag: "Tag",
  anyTag: "Any tag",
  search: "Search reasons",
  noneFits: "Nothing found. Try another filter.",
}

const recognition = {
  title: "Recognition",
  copy: "Copy link",
  copied: "Link copied",
  notCopied: "Copy the address from the address bar.",
  share: "Share",
  toFeed: "All recognition",
  notFound: "Recognition not found",
  notFoundText: "It may be private, or the link may be incomplete.",
}

const received = {
  arrived: "{from} gave you {points}",
  together: "together with {names}",
  more: { one: "and # more", other: "and # more" } as Plural,
  count: "({count} new)",
  dismiss: "Dismiss",
  thankBack: "Say thanks back",
  sinceLastVisit: "Since your last visit",
  newReplies: "New replies",
  replied: "{from} replied: {text}",
  close: "Close",
  notify: "Notify me on this device",
  notifyText: "When you receive points while this page is in the background.",
  notPermitted: "Your browser shows no notifications of this site. Its settings may allow them.",
}

const people = {
  title: "People",
  search: "Name or username",
  searchHint: "Name",
  department: "Department",
  departments: "Everyone",
  nobody: "There's no one here.",
  noneFits: "No one found for “{text}”.",
  everybody: "Show everyone",
  pages: "Pages",
  first: "First page",
  next: "Next page",
  active: "Active",
  inactive: "Deactivated",
  whose: "Accounts",
  nobodyInactive: "No account is deactivated.",
}

const person = {
  received: "Received",
  given: "Given",
  times: { one: "# time", other: "# times" } as Plural,
  edit: "Edit my profile",
  account: "Account",
  history: "History",
  nobodyTitle: "Person not found",
  nobody: "No one has the username",
  toPeople: "Find people",
  inactive: "No longer active",
}

const leaderboard = {
  title: "Leaderboard",
  period: "Period",
  week: "Week",
  month: "Month",
  quarter: "Quarter",
  year: "Year",
  all: "All time",
  ever: "Since the beginning",
  by: "Received or given",
  received: "Received",
  sent: "Given",
  rank: "Rank",
  person: "Person",
  points: "Points",
  times: { one: "# time", other: "# times" } as Plural,
  you: "You",
  own: "You're {rank}, with {points}.",
  ownNone: "You don't have any points here yet.",
  nobody: "No recognition in this period yet.",
  hidden: "Everyone sees only their own points here.",
  thank: "Thank someone",
}

/** The history and its charts. */
const shownOnce = {
  lead: "It stays here until you close it and can't be looked up later.",
  copy: "Copy",
  copied: "Copied",
  close: "Close",
}

const secondFactor = {
  title: "Second factor",
  lead: "With a second factor, your password alone is not enough to log in to your account.",
  requiredLead:
    "Your account can do a lot, so it needs more than a password. Set up a passkey or an authenticator app to go on.",
  loginLead: "Your account has a second factor.",
  goOn: "Continue",
  addPasskey: "Add a passkey",
  addCodes: "Set up an authenticator app",
  passkeyLead: "Your fingerprint, face or PIN on this device, or a security key.",
  name: "Name, to tell it apart",
  createPasskey: "Create passkey",
  codesLead: "Scan this code with an authenticator app, then enter the six digits that it shows.",
  qrCode: "QR code for your authenticator app",
  typeSecret: "Or type this key into the app:",
  code: "Code from your app",
  confirm: "Confirm",
  missingCode: "Enter the code.",
  noPasskey: "No passkey was used. Try again.",
  kinds: { passkey: "Passkey", totp: "Authenticator app" },
  added: "added",
  used: "last used",
  remove: "Remove",
  removeTitle: "Remove {name}?",
  removeLead: "You can no longer log in with it, and you'll have to log in again everywhere else.",
  keepCodes: "Recovery codes: keep them for the day you lose your device. Each works once.",
  codesLeft: {
    one: "# recovery code left",
    other: "# recovery codes left",
  } as Plural,
  newCodes: "Make new ones",
  usePasskey: "Use a passkey",
  recoveryCode: "Recovery code",
  useRecoveryCode: "Use a recovery code",
  back: "Back",
  has: "Has a second factor.",
  reset: "Remove second factors",
  resetTitle: "Remove the second factors of {name}?",
  resetLead:
    "{name} can then log in with the password alone, and is logged out everywhere. Make sure it was really them who asked.",
  resetDone: "{name} can log in with the password alone.",
}

const palette = {
  open: "Search or jump to…",
  search: "Search",
  none: "Nothing found",
  label: "Search people, screens and actions",
  screens: "Go to",
  people: "People",
  actions: "Actions",
  give: "Give points",
}

const keys = {
  title: "Keyboard shortcuts",
  palette: "Search or jump to anything",
  give: "Give points",
  sheet: "Keyboard shortcuts",
  close: "Close what is open",
  between: "then",
  done: "Close",
}

/**
 * All texts of the app. Every other language has the same keys: `texts/pt.ts` does not compile while one is missing.
 */
export const en = {
  noScript: "This page needs JavaScript. Please switch it on for this address.",

  ordinals: { one: "#st", two: "#nd", few: "#rd", other: "#th" } as Plural,
  points: { one: "# point", other: "# points" } as Plural,

  /** Kinds of transactions. */
  kinds: {
    transfer: "Recognition",
    grant: "Grant",
    allowance: "Allowance",
    expiry: "Expired budget",
    redemption: "Reward",
    refund: "Refund",
    reversal: "Taken back",
  },

  shell: {
    skip: "Skip to content",
    navigation: "Main",
    home: "Home",
    people: "People",
    history: "History",
    leaderboard: "Leaderboard",
    rewards: "Rewards",
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
    atLeast: { one: "At least # character", other: "At least # characters" } as Plural,
    submit: "Log in",
    forgot: "Forgot your password?",
    provider: "Log in with your company account",
    or: "or",
    missingUsername: "Enter your username or e-mail address.",
    missingPassword: "Enter your password.",
    ended: "Your session has ended. Log in to continue where you left off.",
    changed: "Your password has been changed. Log in with the new one.",
    again: "Log in again first, because this protects your account. Then try again.",
    errors: {
      expired: "That log-in took too long, or was started in another browser. Try again.",
      denied: "The log-in was cancelled. Try again when you're ready.",
      unavailable: "Your company's log-in can't be used right now. Try again in a moment.",
      failed:
        "Your company's log-in gave an answer that can't be trusted. If it happens again, tell whoever runs this server.",
      unverified_email:
        "Your company account has no confirmed e-mail address. Ask whoever manages those accounts to confirm it.",
      no_account: "There is no account here with your e-mail address. Ask an administrator to create one.",
      inactive: "Your account here has been deactivated.",
      superuser: "Administrators connect their company account in their profile. Log in with your password first.",
      linked_elsewhere:
        "Your account here is connected to a different company account. Ask whoever runs this server to disconnect it.",
      incomplete:
        "Your company account doesn't have all the details that an account here needs. Ask an administrator to create one.",
      too_many: "Too many log-ins have failed. Try again in five minutes.",
    },
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
  pockets,
  give,
  feed,
  recognition,
  received,

  people,
  person,
  get profile() {
    return screens().profile
  },
  leaderboard,

  get history() {
    return screens().history
  },
  get wall() {
    return screens().wall
  },
  get admin() {
    return late().admin
  },
  get allowances() {
    return late().allowances
  },
  shownOnce,
  secondFactor,
  get tokens() {
    return late().tokens
  },
  get webhooks() {
    return late().webhooks
  },
  get insights() {
    return late().insights
  },
  get departments() {
    return late().departments
  },
  get leaving() {
    return late().leaving
  },
  get imports() {
    return late().imports
  },
  get rewards() {
    return screens().rewards
  },
  get health() {
    return late().health
  },
  palette,
  keys,

  missing: {
    title: "Page not found",
    text: "There is no page at this address.",
    back: "Go home",
  },

  parts: {
    cancel: "Cancel",
    withoutPerson: "remove {name}",
    left: "{number} characters left",
    noneFound: "No one found",
    found: { one: "# found", other: "# found" } as Plural,
  },

  live: {
    live: "Live",
    trying: "Connecting",
    down: "Not live since {time}",
  },

  failures: {
    unreachable: "The server can't be reached. Try again in a moment.",
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

  /** Replacements for messages of the server (failure-messages.ts). A message that is missing here is shown as it is. */
  details: {
    "Too many failed logins for this account from this address": "Too many failed log-ins.",
    "Too many passwords are being checked; try again in a moment": "Too many passwords are being checked.",
    "password: none of the most common passwords":
      "This password is one of the first that people guess. Choose another one.",
    "This Idempotency-Key was used for another request":
      "An earlier attempt did arrive. Look at what it made before you try again.",
    "The database did not say whether this was stored; repeat it only with its Idempotency-Key, or look first":
      "Nobody knows whether this was stored. Try again in a moment, or look first.",
    "Invalid Session ID": "Your session had ended, and nothing was sent. Send it again.",
    "Could not validate credentials": "Your session had ended, and nothing was sent. Send it again.",
  } as Readonly<Record<string, string>>,
}

export type Texts = typeof en
