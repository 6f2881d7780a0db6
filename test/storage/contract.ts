import { describe } from "bun:test"
import { allowanceRunPromises } from "./contract/allowance-runs.ts"
import { allowancePromises } from "./contract/allowances.ts"
import { apiTokenPromises } from "./contract/api-tokens.ts"
import { auditPromises } from "./contract/audit.ts"
import { bestWordPromises } from "./contract/best-words.ts"
import { departmentPromises } from "./contract/departments.ts"
import { entryPromises } from "./contract/entries.ts"
import { erasurePromises } from "./contract/erasure.ts"
import { eventPromises } from "./contract/events.ts"
import { exportPromises } from "./contract/exports.ts"
import { followPromises } from "./contract/follow.ts"
import { idempotencyPromises } from "./contract/idempotency.ts"
import { identityPromises } from "./contract/identities.ts"
import { insightPromises } from "./contract/insights.ts"
import { jobPromises } from "./contract/jobs.ts"
import { leaverPromises } from "./contract/leavers.ts"
import { leavingPromises } from "./contract/leaving.ts"
import { mailPromises } from "./contract/mail.ts"
import { managerPromises } from "./contract/managers.ts"
import { mergePromises } from "./contract/merges.ts"
import { mostToOnePromises } from "./contract/most-to-one.ts"
import { occasionPromises } from "./contract/occasions.ts"
import { oneMomentPromises } from "./contract/one-moment.ts"
import { pagePromises } from "./contract/pages.ts"
import { passwordPromises } from "./contract/passwords.ts"
import { pastPocketPromises } from "./contract/past-pockets.ts"
import { postPromises } from "./contract/post.ts"
import { postAllPromises } from "./contract/post-all.ts"
import { programmePromises } from "./contract/programme.ts"
import { provisionedPromises } from "./contract/provisioned.ts"
import { pruningPromises } from "./contract/pruning.ts"
import { pushPromises } from "./contract/push.ts"
import { rateLimitPromises } from "./contract/rate-limits.ts"
import { recognitionPromises } from "./contract/recognitions.ts"
import { referencePromises } from "./contract/references.ts"
import { renamePromises } from "./contract/renames.ts"
import { responsePromises } from "./contract/responses.ts"
import { rewardPromises } from "./contract/rewards.ts"
import { schedulePromises } from "./contract/scheduled-work.ts"
import { searchPromises } from "./contract/search.ts"
import { secondFactorPromises } from "./contract/second-factors.ts"
import { sessionPromises } from "./contract/sessions.ts"
import { severalStorePromises } from "./contract/several-stores.ts"
import { simultaneousPromises } from "./contract/simultaneous.ts"
import { statisticsPromises } from "./contract/statistics.ts"
import type { OpenSubject } from "./contract/subject.ts"
import { transferLimitPromises } from "./contract/transfer-limit.ts"
import { userPromises } from "./contract/users.ts"
import { webhookPromises } from "./contract/webhooks.ts"

/** The suites, by what they are about. */
const suites = {
  users: userPromises,
  "finding people": searchPromises,
  "merging many users": mergePromises,
  departments: departmentPromises,
  managers: managerPromises,
  "people who leave": leaverPromises,
  renames: renamePromises,
  erasures: erasurePromises,
  "changed passwords": passwordPromises,
  sessions: sessionPromises,
  "second factors": secondFactorPromises,
  "notifications on devices": pushPromises,
  "accounts at a single sign-on provider": identityPromises,
  "API tokens": apiTokenPromises,
  "provisioned people": provisionedPromises,
  "rate limits": rateLimitPromises,
  "deleting what has expired": pruningPromises,
  "posting a transaction": postPromises,
  "transactions posted at the same time": simultaneousPromises,
  "posting several transactions as one": postAllPromises,
  "idempotency keys": idempotencyPromises,
  references: referencePromises,
  "the transfer limit": transferLimitPromises,
  "the most that one person may get": mostToOnePromises,
  "pages of transactions": pagePromises,
  "entries of the history": entryPromises,
  allowances: allowancePromises,
  occasions: occasionPromises,
  rewards: rewardPromises,
  "the programme": programmePromises,
  "runs of allowances": allowanceRunPromises,
  exports: exportPromises,
  "following the ledger": followPromises,
  recognitions: recognitionPromises,
  "responses and notifications": responsePromises,
  "answers of one moment": oneMomentPromises,
  statistics: statisticsPromises,
  "points at the end of a day": pastPocketPromises,
  insights: insightPromises,
  "the best words": bestWordPromises,
  "callers who leave": leavingPromises,
  "the audit log": auditPromises,
  jobs: jobPromises,
  "mail about recognition": mailPromises,
  events: eventPromises,
  webhooks: webhookPromises,
  "scheduled work": schedulePromises,
  "several stores on one database": severalStorePromises,
}

/**
 * Every promise of the port `Store`, as tests. A store that passes them can serve the rules, whatever its database is.
 */
export function storeContract(name: string, open: OpenSubject) {
  describe(`${name} keeps the promises of the store about`, () => {
    for (const [suite, promises] of Object.entries(suites)) describe(suite, () => promises(open))
  })
}
