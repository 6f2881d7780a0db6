import { expect, test } from "bun:test"
import { userNameOf } from "../../../src/cli/support/command.ts"

test("a user id becomes a name by the system's list of users", () => {
  const list =
    "root:x:0:0:root:/root:/bin/bash\n# a remark\nana:x:1000:0:Ana,,,:/home/ana:/bin/sh\n\nana2:x:1000:9::/:\n"

  expect([0, 1000, 100, 10].map((uid) => userNameOf(list, uid))).toEqual(["root", "ana", null, null])
  expect(userNameOf("", 0)).toBeNull()
})
