import { describe } from "bun:test"
import { auditPromises } from "./contract/audit.ts"
import { exportPromises } from "./contract/exports.ts"
import { followPromises } from "./contract/follow.ts"
import { idempotencyPromises } from "./contract/idempotency.ts"
import { jobPromises } from "./contract/jobs.ts"
import { mergePromises } from "./contract/merges.ts"
import { pagePromises } from "./contract/pages.ts"
import { passwordPromises } from "./contract/passwords.ts"
import { postPromises } from "./contract/post.ts"
import { postAllPromises } from "./contract/post-all.ts"
import { recognitionPromises } from "./contract/recognitions.ts"
import { searchPromises } from "./contract/search.ts"
import { sessionPromises } from "./contract/sessions.ts"
import { simultaneousPromises } from "./contract/simultaneous.ts"
import { statisticsPromises } from "./contract/statistics.ts"
import type { OpenSubject } from "./contract/subject.ts"
import { transferLimitPromises } from "./contract/transfer-limit.ts"
import { userPromises } from "./contract/users.ts"

/** Every promise of the port `Store`, as tests: what passes them can serve the rules, whichever database it is. */
export function storeContract(name: string, open: OpenSubject) {
  describe(`${name} keeps the promises of the store about`, () => {
    describe("users", () => userPromises(open))
    describe("finding people", () => searchPromises(open))
    describe("merging many users", () => mergePromises(open))
    describe("changed passwords", () => passwordPromises(open))
    describe("sessions", () => sessionPromises(open))
    describe("posting a transaction", () => postPromises(open))
    describe("transactions posted at the same time", () => simultaneousPromises(open))
    describe("posting several transactions as one", () => postAllPromises(open))
    describe("idempotency keys", () => idempotencyPromises(open))
    describe("the transfer limit", () => transferLimitPromises(open))
    describe("pages of transactions", () => pagePromises(open))
    describe("exports", () => exportPromises(open))
    describe("following the ledger", () => followPromises(open))
    describe("recognitions", () => recognitionPromises(open))
    describe("statistics", () => statisticsPromises(open))
    describe("the audit log", () => auditPromises(open))
    describe("jobs", () => jobPromises(open))
  })
}
