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
const store = "src/storage/postgres"
const sqlite = "src/storage/sqlite/database"
const readerTests = "test/storage/sqlite/database/reader.test.ts"

export const mistakes: readonly Mistake[] = [
  {
    name: "no lock on the row of the ledger",
    file: `${store}/ledger/append.ts`,
    edits: [["revision\n     FROM ledger_state FOR UPDATE", "revision\n     FROM ledger_state"]],
    noticedBy: { suite: "transactions posted at the same time" },
  },
  {
    name: "accounts in memory that another process has changed",
    file: `${store}/ledger/open-batch.ts`,
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
    edits: [["asks?.about.some((about) => asked.has(about)) ?? false", "false"]],
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
    file: `${store}/database/gather.ts`,
    edits: [["if (current !== cachedRevision || cached.size > maxCached)", "if (cached.size > maxCached)"]],
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
    name: "a reader that moves on before the sync",
    file: `${sqlite}/reader.ts`,
    edits: [["await sync()\n    } while", "move()\n      await sync()\n    } while"]],
    noticedBy: { tests: readerTests },
  },
  {
    name: "commits that nobody syncs",
    file: `${sqlite}/reader.ts`,
    edits: [["      await sync()\n    } while", "    } while"]],
    noticedBy: { tests: readerTests },
  },
  {
    name: "a commit of another process that is shown before it is synced",
    file: `${sqlite}/reader.ts`,
    edits: [["if (others === shown) return", "return"]],
    noticedBy: { tests: readerTests },
  },
  {
    name: "a failed sync that the next write forgets",
    file: `${sqlite}/connection.ts`,
    edits: [["if (failed) throw failed", ""]],
    noticedBy: { tests: readerTests },
  },
  {
    name: "a write that is acknowledged before the sync",
    file: `${sqlite}/write.ts`,
    edits: [["await show()\n", "void show().catch(() => {})\n"]],
    noticedBy: { tests: readerTests },
  },
  {
    name: "a WAL that a write begins anew, with a sync on the event loop",
    file: `${sqlite}/checkpoints.ts`,
    edits: [["if (row?.busy === 0 && row.log === row.checkpointed) commit(client)", ""]],
    noticedBy: { tests: "test/storage/sqlite/database/checkpoints.test.ts" },
  },
  {
    name: "accounts in a cache that is not told of changes",
    file: `${sqlite}/database.ts`,
    edits: [["if (writesUsers) changesUsers?.()", ""]],
    noticedBy: { tests: "test/storage/sqlite/people/user-cache.test.ts" },
  },
  {
    name: "reads that take as much of a tick as they like",
    file: "src/storage/budget.ts",
    edits: [["return spentInTick() >= limitMs", "return false"]],
    noticedBy: { tests: readerTests },
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
