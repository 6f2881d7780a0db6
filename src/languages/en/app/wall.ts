import type { Plural } from "../../writing.ts"

export const wall = {
  title: "Wall",
  from: "from",
  empty: "No recognition yet",
  invitation: "Thank someone at {address} and it will appear here.",
  qrCode: "QR code of this app",
  week: "This week",
  weekEmpty: "No thanks yet. Who helped you?",
  thanks: { one: "# thank-you", other: "# thank-yous" } as Plural,
  keyMissing: "This wall needs its key",
  keyEnded: "This wall's key no longer works",
  keyHow:
    "Ask whoever runs the server for the wall's link, with the key from the setting stream.wall_key, and open it here once:",
  logIn: "Or log in",
  fullScreen: "Full screen",
  leaveFullScreen: "Exit full screen",
  back: "Back",
}
