import { expect, test } from "bun:test"
import { readFileSync, statSync, writeFileSync } from "node:fs"
import { done, operator, refused } from "./operator.ts"

const secretIn = (path: string) => /^secret_key = "(.*)"$/m.exec(readFileSync(path, "utf8"))?.[1] ?? ""

test("writes rewards.toml with a random secret for its owner alone, and says what comes next", async () => {
  await using operates = await operator()
  const path = `${operates.folder}/rewards.toml`

  expect(await operates.types(["init"])).toEqual(
    done("Wrote rewards.toml with a new secret. Next: look through its settings, then start with: rewards serve"),
  )

  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(Buffer.from(secretIn(path), "base64url")).toHaveLength(32)
})

test("never overwrites a file", async () => {
  await using operates = await operator()
  const path = `${operates.folder}/rewards.toml`
  writeFileSync(path, "# mine")

  expect(await operates.types(["init"])).toEqual(refused("rewards.toml exists already and is left as it is"))

  expect(readFileSync(path, "utf8")).toBe("# mine")
})

test("writes where --config says, another secret each time, and the file can be used", async () => {
  await using operates = await operator()

  expect(await operates.types(["init", "--config", "a.toml"])).toEqual(
    done(
      "Wrote a.toml with a new secret. Next: look through its settings, then start with: rewards serve --config a.toml",
    ),
  )
  await operates.types(["init", "--config", `${operates.folder}/b.toml`])

  const secrets = ["a.toml", "b.toml"].map((name) => secretIn(`${operates.folder}/${name}`))
  expect(new Set(secrets).size).toBe(2)
  expect(await operates.types(["migrate", "--config", "a.toml"])).toMatchObject({ status: 0 })
})

test("where no file can be written, it says so", async () => {
  await using operates = await operator()
  await operates.types(["init"])

  expect(await operates.types(["init", "--config", "none/rewards.toml"])).toEqual(
    refused("cannot write none/rewards.toml: ENOENT; see that its folder exists and belongs to this user"),
  )
  expect(await operates.types(["init", "--config", "rewards.toml/x"])).toEqual(
    refused("cannot write rewards.toml/x: ENOTDIR; see that its folder exists and belongs to this user"),
  )
})
