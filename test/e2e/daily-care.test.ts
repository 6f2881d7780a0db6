import { expect, test } from "bun:test"
import { refused } from "../cli/operator.ts"
import { runCommand } from "../support/executable.ts"

test("config shows what the executable would use, and hides its secret", async () => {
  const { status, stdout, stderr } = await runCommand(["config"])

  expect({ status, stderr }).toEqual({ status: 0, stderr: "" })
  expect(stdout).toMatch(/^security\.secret_key +"\(hidden\)" +environment REWARDS_SECURITY__SECRET_KEY$/m)
  expect(stdout).toMatch(/^security\.bcrypt_cost +10 +environment REWARDS_SECURITY__BCRYPT_COST$/m)
  expect(stdout).not.toContain("a secret for tests")
  expect(await runCommand(["config", "--config", "none.toml"])).toEqual(
    refused("the configuration cannot be used:", "  none.toml: expected a file that can be read (there is none)"),
  )
})
