import { expect, test } from "bun:test"
import { done, operator, refused } from "./operator.ts"

test("deactivates somebody, returns their points, and reactivates them", async () => {
  await using operates = await operator()
  await operates.types(["create-user", "Ana", "ana@example.com", "x", "sales"])
  await operates.types(["transaction", "ana", "10"])

  expect(await operates.types(["deactivate", "ana", "--return-points"])).toEqual(
    done("User ana is deactivated: sessions and tokens have ended; 10 returned to admin"),
  )
  expect((await operates.types(["user-list"])).stdout).not.toContain("ana@example.com")
  expect((await operates.types(["user-list", "--all"])).stdout).toContain("ana@example.com")
  expect(await operates.types(["transaction", "ana", "1"])).toEqual(refused("User not found"))
  expect(await operates.types(["verify"])).toMatchObject({ status: 0 })

  expect(await operates.types(["reactivate", "ana"])).toEqual(
    done("User ana is active again; the password is the one from before"),
  )
  expect(await operates.types(["transaction", "ana", "1"])).toEqual(done("admin: 0 -> -1", "ana: 0 -> 1"))
  const { stdout } = await operates.types(["audit", "--user", "ana", "--json"])
  expect(JSON.parse(stdout)).toContainEqual(
    expect.objectContaining({ action: "user_deactivated", who: "olga", detail: "10 returned to admin" }),
  )
})

test("refuses admin and unknown people", async () => {
  await using operates = await operator()
  await operates.types(["migrate"])

  expect(await operates.types(["deactivate", "admin"])).toEqual(refused("active: admin stays active"))
  expect(await operates.types(["deactivate", "nobody"])).toEqual(refused("User not found: nobody"))
  expect(await operates.types(["reactivate", "nobody"])).toEqual(refused("User not found: nobody"))
})
