import { expect, test } from "bun:test"
import { userNameOf, withFileOptions } from "../../../src/cli/support/command.ts"

test("a user id becomes a name by the system's list of users", () => {
  const list =
    "root:x:0:0:root:/root:/bin/bash\n# a remark\nana:x:1000:0:Ana,,,:/home/ana:/bin/sh\n\nana2:x:1000:9::/:\n"

  expect([0, 1000, 100, 10].map((uid) => userNameOf(list, uid))).toEqual(["root", "ana", null, null])
  expect(userNameOf("", 0)).toBeNull()
})

test("a server to start gets them too", () => {
  const args = { config: "/etc/rewards.toml", db: undefined }
  expect(withFileOptions("start it with `rewards serve`, then run this again", args)).toBe(
    "start it with `rewards serve --config /etc/rewards.toml`, then run this again",
  )
})

test("a quoted command gets the options that name the database, unless it may be about another one", () => {
  const message =
    "stop `rewards serve`, look with `rewards verify`, or `rewards restore FILE`; drop it with `rewards reset-db`"
  const added = (config: string | undefined, db: string | undefined) => withFileOptions(message, { config, db })

  expect(added(undefined, undefined)).toBe(message)
  expect(added("/etc/rewards.toml", "my data.db")).toBe(
    "stop `rewards serve`, look with `rewards verify --config /etc/rewards.toml --db 'my data.db'`, " +
      "or `rewards restore FILE --config /etc/rewards.toml --db 'my data.db'`; drop it with `rewards reset-db`",
  )
})
