import { asSeenBy } from "../ledger/reason-readers.ts"
import { type AmountsShown, type AmountsViewer, seesAmounts } from "../programme/amounts.ts"
import type { Recognition } from "./model.ts"
import { participantsIn } from "./recognitions.ts"

/** A recognition as somebody sees it: a reason that they may not read is empty. */
export type ShownRecognition<T extends Recognition = Recognition> = T & {
  /** Whether they see its points. */
  readonly showsAmounts: boolean
  /** Whether they see the points that others added. */
  readonly showsAdded: boolean
}

/**
 * The recognition as the viewer sees it. What others added concerns the receivers alone, because it was not the sender who
 * gave it.
 */
export function shownTo<T extends Recognition>(
  viewer: AmountsViewer,
  recognition: T,
  programme: AmountsShown,
): ShownRecognition<T> {
  const receiverIds = recognition.receivers.map(({ userId }) => userId)
  return {
    ...asSeenBy(viewer?.id ?? null, recognition),
    showsAmounts: seesAmounts(viewer, participantsIn(recognition), programme),
    showsAdded: seesAmounts(viewer, receiverIds, programme),
  }
}
