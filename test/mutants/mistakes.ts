/** A mistake that somebody could make in a store. */
export interface Mistake {
  readonly name: string
  /** The path of the file, from the root of the repository. */
  readonly file: string
  /** Text that occurs once in the file, and the text that replaces it. */
  readonly edits: readonly (readonly [right: string, wrong: string])[]
  /** Who must notice: a suite of test/storage/contract.ts on PostgreSQL, or the tests of a file. */
  readonly noticedBy: { readonly suite: string } | { readonly tests: string }
}

export const schema = "drizzle/postgres/0000_init.sql"
const ledger = "src/storage/ledger"
const sqlite = "src/storage/sqlite/database"
const sqliteTests = "test/storage/sqlite/database"

export const mistakes: readonly Mistake[] = [
  {
    name: "no lock on the row of the ledger",
    file: `${ledger}/append.ts`,
    edits: [["{ledgerState} FOR UPDATE`),\n    readAccounts", "{ledgerState}`),\n    readAccounts"]],
    noticedBy: { suite: "transactions posted at the same time" },
  },
  {
    name: "accounts in memory that another process has changed",
    file: `${ledger}/open-batch.ts`,
    edits: [["if (isShared || accounts.size > maxAccounts)", "if (accounts.size > maxAccounts)"]],
    noticedBy: { suite: "several stores on one database" },
  },
  {
    name: "a deactivation that processes with the account in memory do not notice",
    file: schema,
    edits: [["    UPDATE ledger_state SET revision = gen_random_uuid();\n", "    NULL;\n"]],
    noticedBy: { suite: "several stores on one database" },
  },
  {
    name: "redemptions of one batch that do not know of each other",
    file: "src/storage/ledger/postings.ts",
    edits: [["needs?.exclusive.some((name) => taken.has(name)) ?? false", "false"]],
    noticedBy: { suite: "rewards" },
  },
  {
    name: "a key that answers another request",
    file: "src/storage/ledger/postings.ts",
    edits: [["if (stored.requestHash !== requestHash)", "if (false)"]],
    noticedBy: { suite: "idempotency keys" },
  },
  {
    name: "ids from a sequence, which are not in the order of the commits",
    file: schema,
    edits: [
      [
        "IF batch.first <> (SELECT last_id + 1 FROM ledger_state) OR batch.last <> batch.first + batch.size - 1 THEN",
        "IF false THEN",
      ],
      [
        "CREATE TRIGGER transactions_appended",
        `CREATE SEQUENCE given CACHE 10;
         CREATE FUNCTION give_id() RETURNS trigger LANGUAGE plpgsql AS $$
         BEGIN NEW.id := nextval('given'); RETURN NEW; END $$;
         CREATE TRIGGER ids_are_given BEFORE INSERT ON transactions FOR EACH ROW EXECUTE FUNCTION give_id();
         CREATE TRIGGER transactions_appended`,
      ],
    ],
    noticedBy: { suite: "following the ledger" },
  },
  {
    name: "no notification of a commit",
    file: schema,
    edits: [["PERFORM pg_notify('rewards_ledger', batch.last::text);", ""]],
    noticedBy: { suite: "following the ledger" },
  },
  {
    name: "users in a cache that is not told of changes",
    file: "src/storage/gather.ts",
    edits: [["if (version !== cachedFor || cached.size > maxCached)", "if (cached.size > maxCached)"]],
    noticedBy: { suite: "several stores on one database" },
  },
  {
    name: "sessions that end without a count for those who keep streams open",
    file: schema,
    edits: [
      [
        "CREATE TRIGGER access_changes_with_a_session AFTER DELETE",
        "CREATE TRIGGER access_changes_with_a_session AFTER UPDATE",
      ],
    ],
    noticedBy: { suite: "several stores on one database" },
  },
  {
    name: "no lock on the job that is claimed",
    file: "src/storage/jobs.ts",
    edits: [["LIMIT 1 FOR UPDATE SKIP LOCKED", "LIMIT 1"]],
    noticedBy: { suite: "jobs" },
  },
  {
    name: "a claimed job without a lease",
    file: "src/storage/jobs.ts",
    edits: [["lockedBy: worker, lockedUntil: now + leaseMs", "lockedBy: worker, lockedUntil: now"]],
    noticedBy: { suite: "jobs" },
  },
  {
    name: "no lock on what a rate limit counts",
    file: "src/storage/auth/rate-limits.ts",
    edits: [["tx.lock(...limits.map(nameOf))\n", ""]],
    noticedBy: { suite: "rate limits" },
  },
  {
    name: "scheduled work that two processes do",
    file: "src/storage/jobs.ts",
    edits: [[`THEN \${scheduledWork.lockedBy} = \${owner}`, "THEN true"]],
    noticedBy: { suite: "scheduled work" },
  },
  {
    name: "no lock while lookalikes are looked for",
    file: "src/storage/auth/access.ts",
    edits: [["accessChanges} FOR UPDATE", "accessChanges}"]],
    noticedBy: { suite: "users" },
  },
  {
    name: "accounts in memory that nobody compares with the ledger",
    file: `${ledger}/append.ts`,
    edits: [
      ["  tx.expect(sql`SELECT", "  void (sql`SELECT"],
      ["FOR UPDATE`, known.revision)", "FOR UPDATE`)"],
    ],
    noticedBy: { tests: "test/storage/sqlite/people/user-cache.test.ts" },
  },
  {
    name: "users in a cache on SQLite that is not told of changes",
    file: "src/storage/gather.ts",
    edits: [["if (version !== cachedFor || cached.size > maxCached)", "if (cached.size > maxCached)"]],
    noticedBy: { tests: "test/storage/sqlite/people/user-cache.test.ts" },
  },
  {
    name: "a write that is acknowledged before the message with its COMMIT is answered",
    file: `${sqlite}/write.ts`,
    edits: [
      ["const hasWritten = await open.commit()", "const hasWritten = true\n    void open.commit().catch(() => {})"],
    ],
    noticedBy: { tests: `${sqliteTests}/failed-commit.test.ts` },
  },
  {
    name: "writes in line that wait for a lock one after the other, each as long as the first",
    file: `${sqlite}/write.ts`,
    edits: [["() => lockWaitOf(since)", "() => lockTimeoutMs"]],
    noticedBy: { tests: `${sqliteTests}/write.test.ts` },
  },
  {
    name: "a person who is not found after a change of the name by an older version",
    file: "src/storage/people/people.ts",
    edits: [["if (unknown.length === 0) return", "return"]],
    noticedBy: { tests: "test/storage/sqlite/people/search-keys.test.ts" },
  },
  {
    name: "an answer before the COMMIT",
    file: `${sqlite}/runner.ts`,
    edits: [
      [
        "if (commits || (isReader && calls.length > 1)) end.run()",
        "if (commits) setImmediate(() => end.run())\n      else if (isReader && calls.length > 1) end.run()",
      ],
    ],
    noticedBy: { tests: `${sqliteTests}/connection.test.ts` },
  },
  {
    name: "commits that nobody syncs",
    file: `${sqlite}/connection.ts`,
    edits: [["PRAGMA synchronous = FULL", "PRAGMA synchronous = NORMAL"]],
    noticedBy: { tests: `${sqliteTests}/connection.test.ts` },
  },
  {
    name: "a failed commit after which the writer goes on",
    file: `${sqlite}/runner.ts`,
    edits: [[' || (step === "commit" && !isReader && !isFull.test(code))', ""]],
    noticedBy: { tests: `${sqliteTests}/failed-commit.test.ts` },
  },
  {
    name: "a WAL that no commit writes back",
    file: `${sqlite}/threads.ts`,
    edits: [["if (answers.some(({ hasWritten }) => hasWritten)) checkpoint()", ""]],
    noticedBy: { tests: `${sqliteTests}/checkpoints.test.ts` },
  },
  {
    name: "a snapshot that is several reads",
    file: `${sqlite}/database.ts`,
    edits: [
      [
        "const found = await read(\n          queries.map((query: SQL) => callOf(runs, query)),\n          caller,\n        )",
        "const found = []\n        for (const query of queries) found.push(...(await read([callOf(runs, query)], caller)))",
      ],
    ],
    noticedBy: { tests: `${sqliteTests}/database.test.ts` },
  },
  {
    name: "turns by call, so that who asks most is served most",
    file: `${sqlite}/reads.ts`,
    edits: [["waiting.add({ who: whoAsks(),", "waiting.add({ who: undefined,"]],
    noticedBy: { tests: `${sqliteTests}/reads.test.ts` },
  },
  {
    name: "turns by call for connections to PostgreSQL",
    file: "src/storage/postgres/database/pool.ts",
    edits: [["{ who: whoAsks(),", "{ who: undefined,"]],
    noticedBy: { tests: "test/storage/postgres/database/pool.postgres.test.ts" },
  },
  {
    name: "turns by address, also of people who are logged in",
    file: "src/http/guards.ts",
    edits: [["  if (caller !== null) recognize(", "  if (caller !== null) void ("]],
    noticedBy: { tests: "test/support/requester.test.ts" },
  },
  {
    name: "a shared read in the turn of whoever asked first",
    file: "src/support/requester.ts",
    edits: [["requesters.run(undefined, work)", "work()"]],
    noticedBy: { tests: "test/support/requester.test.ts" },
  },
  {
    name: "turns that begin with the same caller each time",
    file: "src/domain/fair-queue.ts",
    edits: [
      [
        "      waiting.delete(who)\n      if (own.size > 0) waiting.set(who, own)",
        "      if (own.size === 0) waiting.delete(who)",
      ],
    ],
    noticedBy: { tests: `${sqliteTests}/reads.test.ts` },
  },
  {
    name: "reads for those who have left",
    file: `${sqlite}/reads.ts`,
    edits: [["if (next.signal?.aborted)", "if (false)"]],
    noticedBy: { tests: `${sqliteTests}/reads.test.ts` },
  },
  {
    name: "usernames in the order of a language",
    file: schema,
    edits: [
      [
        `username text COLLATE "C" NOT NULL CONSTRAINT users_username UNIQUE`,
        "username text NOT NULL CONSTRAINT users_username UNIQUE",
      ],
    ],
    noticedBy: { suite: "pages of transactions" },
  },
]

/** The text with the mistake. @throws when the right text no longer occurs once */
export function planted(text: string, { name, edits }: Mistake): string {
  return edits.reduce((source, [right, wrong]) => {
    if (source.split(right).length !== 2) throw new Error(`"${name}" no longer fits: ${right}`)
    return source.replace(right, () => wrong)
  }, text)
}
