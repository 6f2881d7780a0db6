import { expect, test } from "bun:test"
import { openStore } from "../../src/storage/sqlite/store.ts"
import { silent } from "../storage/files.ts"
import { done, operatorWithDatabase, refused } from "./operator.ts"

test("mail that failed is listed and made due again; invitations are sent again", async () => {
  await using here = await operatorWithDatabase()
  const store = await openStore({ path: here.database, log: silent })
  const at = Date.now()
  const times = { maxAttempts: 1, retryUntil: at, runAt: at, createdAt: at }
  for (const [email, cause] of [
    ["ana@example.com", "operator"],
    ["bo@example.com", "recipient"],
  ] as const) {
    const { id } = await store.jobs.enqueue({ kind: "invitation", payload: { email }, ...times })
    await store.jobs.claim("w", at, 60_000, "invitations")
    await store.jobs.endAttempt(id, "w", { state: "discarded", error: "550 no", cause, cure: "set it" }, at)
  }
  await store.close()

  const listed = JSON.parse((await here.types(["mail", "list", "--json"])).stdout)
  expect(listed).toMatchObject([
    { id: 2, kind: "invitation", to: "bo@example.com", state: "discarded", cause: "recipient", last_answer: "550 no" },
    { id: 1, kind: "invitation", to: "ana@example.com", state: "discarded", cause: "operator", next_at: null },
  ])
  expect((await here.types(["mail", "list", "--state", "waiting", "--json"])).stdout.trim()).toBe("[]")
  expect((await here.types(["mail", "list"])).stdout).toContain("ana@example.com")
  expect(await here.types(["mail", "list", "--state", "sent"])).toMatchObject({ status: 2 })
  expect(await here.types(["mail", "retry"])).toEqual(done("1 mail is due now; `rewards serve` sends them"))
  expect(await here.types(["mail", "retry", "2"])).toEqual(done("1 mail is due now; `rewards serve` sends them"))
  expect(await here.types(["mail", "retry", "3"])).toEqual(refused("No such mail waits, and none was given up"))
  expect(await here.types(["mail", "retry", "x"])).toMatchObject({ status: 2 })
})

test("somebody who never logged in is invited again, or everybody", async () => {
  await using here = await operatorWithDatabase()
  const file = `${here.folder}/people.csv`
  await Bun.write(file, "name,email,dept\nAna,ana@example.com,sales\nBo,bo@example.com,sales\n")
  await here.types(["user", "import", file])

  expect(await here.types(["user", "invite", "ana"])).toEqual(done("1 invitation is due; `rewards serve` sends them"))
  expect(await here.types(["user", "invite", "--all"])).toEqual(
    done("2 invitations are due; `rewards serve` sends them"),
  )
  expect(JSON.parse((await here.types(["mail", "list", "--json"])).stdout)).toHaveLength(2)
  expect(await here.types(["user", "invite", "admin"])).toEqual(
    refused("This person has logged in already; a forgotten password is reset on the log-in page"),
  )
  expect(await here.types(["user", "invite"])).toMatchObject({ status: 2 })
  expect(await here.types(["user", "invite", "ana", "--all"])).toMatchObject({ status: 2 })
})
