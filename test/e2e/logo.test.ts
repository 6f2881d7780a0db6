import { expect, test } from "bun:test"
import { refused } from "../cli/operator.ts"
import { runCommand } from "../support/executable.ts"
import { folderWithLogo } from "../support/logo.ts"

test("a file that is no logo stops the start before the database is touched", async () => {
  await using folder = await folderWithLogo("logo.png", "GIF89a")
  for (const [file, problem] of [
    ["none.png", "none.png cannot be read: there is no such file"],
    [
      "logo.png",
      "logo.png must hold a PNG, JPEG, WebP or SVG picture; save it as one of these, because a new name does not convert a file",
    ],
  ] as const)
    expect(
      await runCommand(["serve", "--port", "0"], { cwd: folder.path, env: { REWARDS_SERVICE__LOGO: file } }),
    ).toEqual(refused(`service.logo: ${problem}`))
  expect([...new Bun.Glob("*.db*").scanSync(folder.path)]).toEqual([])
}, 60_000)
