import type { Plural } from "../../writing.ts"

export const parts = {
  cancel: "Cancel",
  close: "Close",
  withoutPerson: "remove {name}",
  left: "{number} characters left",
  noneFound: "No one found",
  found: { one: "# found", other: "# found" } as Plural,
}

export const missing = {
  title: "Page not found",
  text: "There is no page at this address.",
  back: "Go home",
}

export const live = {
  live: "Live",
  trying: "Connecting",
  down: "Not live since {time}",
}

export const failures = {
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
}
