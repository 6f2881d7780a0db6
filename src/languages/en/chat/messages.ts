import type { Plural } from "../../writing.ts"

/** Messages to a channel. */
export const messages = {
  thanked: "{from} thanked {to}",
  others: { one: "# other", other: "# others" } as Plural,
  each: "{points} each",
  together: "{points} together",
  open: "Open in {service}",
  test: "A test from {service}. Recognitions will appear here.",
}
