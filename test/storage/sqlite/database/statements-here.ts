import { Database } from "bun:sqlite"
import { writeSync } from "node:fs"

/* Loaded before a server: writes to standard error from where each statement ran on its event loop. */

type Methods = Record<string, unknown>

const told = new WeakSet<object>()

if (Bun.isMainThread) {
  const client = Database.prototype as unknown as Methods
  tell(client, ["run", "exec"])
  for (const name of ["prepare", "query"]) {
    const original = client[name] as (...given: unknown[]) => Methods
    // Each statement has methods of its own.
    client[name] = function (this: unknown, ...given: unknown[]) {
      const statement = original.apply(this, given)
      if (!told.has(statement)) tell(statement, ["all", "get", "run", "values", "raw", "iterate"])
      return statement
    }
  }
}

function tell(owner: Methods, names: readonly string[]) {
  told.add(owner)
  for (const name of names) {
    const original = owner[name]
    if (typeof original !== "function") throw new Error(`bun:sqlite has no ${name} any more`)
    owner[name] = function (this: unknown, ...given: unknown[]) {
      const from = new Error().stack?.split("\n").slice(2, 5).join(" <-").replaceAll(/\s+/g, " ")
      writeSync(2, `a statement ran here: ${from}\n`)
      return original.apply(this, given)
    }
  }
}
