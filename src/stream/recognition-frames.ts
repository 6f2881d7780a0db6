import { asSeenBy } from "../domain/feed.ts"
import type { Recognition } from "../domain/recognitions.ts"
import { type Formats, frameOf } from "./frame.ts"
import { recognitionView } from "./recognition-view.ts"

export type RecognitionFormat = "all" | "own"

const textOf = (recognition: Recognition): string => JSON.stringify(recognitionView(recognition))

const toParties = (recognition: Recognition) => ({
  userIds: [recognition.senderId, recognition.receiverId],
  text: textOf(recognition),
})

/** `all` is for those who see everybody's entries, with a private reason for the two alone; `own` for those who see only
 *  what they take part in. */
export const recognitionFormats: Formats<Recognition> = new Map([
  [
    "all",
    (recognition: Recognition) => {
      const shown = textOf(asSeenBy(null, recognition))
      return frameOf(recognition.id, shown, recognition.note?.isPrivate ? toParties(recognition) : null)
    },
  ],
  ["own", (recognition: Recognition) => frameOf(recognition.id, null, toParties(recognition))],
])
