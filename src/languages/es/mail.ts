import { accountMail } from "./mail/accounts.ts"
import { recognitionMail } from "./mail/recognition.ts"
import { rewardMail } from "./mail/rewards.ts"
import { points } from "./points.ts"

export const mailTexts = { points, ...accountMail, ...recognitionMail, ...rewardMail }
