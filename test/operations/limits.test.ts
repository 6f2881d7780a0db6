import { expect, test } from "bun:test"
import { loadConfig } from "../../src/config/load.ts"
import { maxHashing, maxOfOwner, maxQueued } from "../../src/domain/auth/hashing.ts"
import { accountFactor, loginSourceFactor, maxInProgress } from "../../src/domain/auth/logins.ts"
import { maxSessions } from "../../src/domain/auth/model.ts"
import { mailSourceFactor } from "../../src/domain/auth/passwords.ts"
import { maxPerMinute } from "../../src/domain/recognition/responses.ts"
import {
  maxConcurrent,
  maxConcurrentOfCaller,
  maxConcurrentOfSource,
  maxIncomplete,
  maxIncompleteOfSource,
} from "../../src/http/concurrency-limit.ts"
import { bounds } from "../../src/http/costs.ts"
import { uncountedBytes } from "../../src/http/downloads.ts"
import { maxRestBytes, pauseMs } from "../../src/http/rest.ts"
import { maxEmails, maxOperations } from "../../src/http/scim/requests.ts"
import { patienceMs } from "../../src/http/turns.ts"
import { maxWaitingLogins } from "../../src/integrations/oidc/provider.ts"
import { answerMs } from "../../src/integrations/push/push.ts"
import { defaultPlaces } from "../../src/jobs/worker.ts"
import { lookUpMs } from "../../src/net/resolver.ts"
import { busyTimeoutMs } from "../../src/storage/sqlite/database/open.ts"
import { stalledMs } from "../../src/stream/hub.ts"

const { limits, db } = loadConfig({
  cwd: "/",
  configPath: null,
  env: {},
  flags: {},
  underTest: true,
  needsSecret: false,
})
const failures = limits.login_failures
const mails = limits.reset_mails

/** The numbers of each row of the table "Limits", in their order. */
const rows: Readonly<Record<string, readonly number[]>> = {
  "Requests at a time": [maxConcurrent, maxConcurrentOfSource, maxConcurrentOfCaller],
  "Bodies that have not arrived at a time": [maxIncomplete, maxIncompleteOfSource],
  "Body of a request that is answered without it": [maxRestBytes / 1_048_576, pauseMs / 1000],
  "Open streams of one address": [limits.streams],
  "Streams that do not read": [stalledMs / 1000],
  "Large requests at a time": [bounds.work.ofOne, bounds.work.inAll, bounds.work.waiting, patienceMs / 1000],
  "Downloads at a time": [bounds.download.ofOne, bounds.download.inAll],
  "Large answers of `GET /user/` and `/openapi.json` at a time": [
    uncountedBytes / 1024,
    bounds.list.ofOne,
    bounds.list.inAll,
  ],
  "Password hashes at a time": [maxHashing, maxQueued, maxOfOwner],
  "Log-ins in progress of one address": [maxInProgress],
  "Open sessions of one person": [maxSessions],
  "Log-ins that wait for the provider": [maxWaitingLogins],
  "Body of a request": [limits.body_bytes / 1024],
  "Operations of a SCIM PATCH; addresses of a user during it": [maxOperations, maxEmails],
  "Silence of a connection": [limits.idle_seconds],
  "Failed log-ins in 5 minutes": [failures, failures * accountFactor, failures * loginSourceFactor],
  "Wrong codes of a second factor in an hour": [failures],
  "Failed log-ins through the provider in 5 minutes": [failures * loginSourceFactor],
  "Reset mails in 15 minutes": [mails, mails * mailSourceFactor],
  "Requests of one person that send points, in a minute": [limits.transfers_per_minute],
  "Other changes of one person in a minute": [limits.writes_per_minute],
  "Replies and reactions of one person in a minute": [maxPerMinute.reply, maxPerMinute.reaction],
  "Jobs at a time": [
    defaultPlaces.accounts,
    defaultPlaces.invitations,
    defaultPlaces.mail,
    defaultPlaces.push,
    defaultPlaces.chats,
  ],
  "Time that a push service has for its answer": [answerMs / 1000],
  "Time to look up the name of another server": [lookUpMs / 1000],
  "Requests at a time that look up a name (new devices and webhooks, test messages)": [
    bounds.lookup.ofOne,
    bounds.lookup.waiting,
    patienceMs / 1000,
    bounds.lookup.inAll,
  ],
  "Writes while another process holds the database file": [busyTimeoutMs / 1000],
  "Connections to PostgreSQL": [db.pool_size],
}

test("the table of limits has the numbers that the server uses", async () => {
  const page = await Bun.file(new URL("../../docs/operations/hardening.md", import.meta.url)).text()
  const [, section = ""] = page.split("## Limits\n")
  const documented = section
    .split("\n## ")[0]
    ?.split("\n")
    .filter((line) => /^\| [A-Z]/.test(line))
    .slice(1)
    .map((line) => line.split("|").map((cell) => cell.trim()))
    .map(([, what = "", limit = ""]) => [
      what,
      [...limit.matchAll(/\d[\d,]*/g)].map(([digits]) => digits.replace(",", "")),
    ])

  expect(documented).toEqual(Object.entries(rows).map(([what, numbers]) => [what, numbers.map(String)]))
})
