import { giveTexts } from "./chat/give.ts"
import { messages } from "./chat/messages.ts"
import { points } from "./points.ts"

export const chatTexts = { points, ...giveTexts, messages }
