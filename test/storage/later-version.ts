import type { Migration } from "../../src/storage/migrations.ts"
import { migrations } from "../../src/storage/sqlite/database/migrations.ts"

export const medals: Migration = {
  tag: "9999_medals",
  sql: "CREATE TABLE medals (user_id INTEGER PRIMARY KEY REFERENCES users (id)) STRICT; INSERT INTO medals SELECT id FROM users;",
}

/** Makes this process a later version, which also has a table `medals`, until the result is disposed. */
export function becomeLaterVersion(): Disposable {
  const all = migrations as Migration[]
  all.push(medals)
  return {
    [Symbol.dispose]() {
      all.pop()
    },
  }
}
