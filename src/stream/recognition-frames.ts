import type { Recognition } from "../domain/model.ts"
import { asSeenBy, isRecognition } from "../domain/recognition/recognitions.ts"
import { type Formats, frameOf } from "./frame.ts"
import { recognitionView } from "./recognition-view.ts"

export type RecognitionFormat = "all" | "own"

const textOf = (recognition: Recognition): string => JSON.stringify(recognitionView(recognition))

const toParties = (recognition: Recognition) => ({
  userIds: [recognition.senderId, recognition.receiverId],
  text: textOf(recognition),
})

/** `all` is for those who see everybody's entries, with a private reason for the two alone; `own` for those who see only
 *  what they take part in. What is no recognition is sent to nobody. */
export const recognitionFormats: Formats<Recognition> = new Map([
  [
    "all",
    (entry: Recognition) => {
      if (!isRecognition(entry)) return frameOf(entry.id, null)
      return frameOf(entry.id, textOf(asSeenBy(null, entry)), entry.note?.isPrivate ? toParties(entry) : null)
    },
  ],
  ["own", (entry: Recognition) => frameOf(entry.id, null, isRecognition(entry) ? toParties(entry) : null)],
])
