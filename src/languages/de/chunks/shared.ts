import { mailSent } from "../app/admin/mail-sent.ts"
import { rewardAdmin } from "../app/admin/rewards.ts"
import { reset } from "../app/reset.ts"
import { rewards } from "../app/rewards.ts"
import { factors } from "../app/second-factors.ts"
import { keys } from "../app/shortcuts.ts"
import { shownOnce } from "../app/shown-once.ts"
import { tokens } from "../app/tokens.ts"

/** Texts that the administration and other screens need. */
export const texts = { mailSent, rewardAdmin, reset, rewards, factors, keys, shownOnce, tokens }
