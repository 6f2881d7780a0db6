import { expect, test } from "bun:test"
import { openStore } from "../../src/storage/sqlite/store.ts"
import { done, operator, refused } from "./operator.ts"

test("forgets the account at the provider, once, and says what follows", async () => {
  await using operates = await operator()
  await operates.types(["create-user", "Ana", "ana@example.com", "x", "sales"])
  const store = await openStore({ path: operates.database })
  const ana = await store.users.byUsername("ana")
  const identity = { issuer: "https://login.example.com", subject: "1", userId: ana?.id ?? 0, linkedAt: 1 }
  expect(await store.identities.link(identity)).toBe(true)
  await store.close()

  expect(await operates.types(["unlink", "ana"])).toEqual(
    done("User ana is unlinked: the next log-in through the provider links the account again, by its e-mail address"),
  )
  expect(await operates.types(["unlink", "ana"])).toEqual(done("User ana was not linked"))
  expect(await operates.types(["unlink", "nobody"])).toEqual(refused("User not found: nobody"))
  const { stdout } = await operates.types(["audit", "--user", "ana", "--json"])
  expect(JSON.parse(stdout)).toContainEqual(
    expect.objectContaining({ action: "identity_unlinked", who: "olga", whom: "ana" }),
  )
})
