import { expect, test } from "bun:test"
import { join } from "node:path"
import { tamper } from "../storage/files.ts"
import { done, misused, operator, refused } from "./operator.ts"

/** 22 November 2026, 12:00 UTC, in São Paulo; Ana is in sales, Bruno in support. */
async function operatorWithPeople() {
  const operates = await operator()
  const env = { REWARDS_SERVICE__TIME_ZONE: "America/Sao_Paulo" }
  const types = (args: readonly string[], day = "2026-11-22") =>
    operates.types(args, { env, now: () => Date.parse(`${day}T12:00:00Z`) })
  await types(["create-user", "Ana", "ana@example.com", "x", "sales"])
  await types(["create-user", "Bruno", "bruno@example.com", "x", "support"])
  return { types, [Symbol.asyncDispose]: () => operates[Symbol.asyncDispose]() }
}

const monthly = ["allowance", "add", "Monthly allowance", "100", "--mode", "top_up"]

test("allowances are added, listed, paused, resumed, run and removed", async () => {
  await using here = await operatorWithPeople()

  expect(await here.types([...monthly, "--on", "last", "--at", "08:30", "--dept", "sales"])).toEqual(
    done("Allowance 1 (Monthly allowance): added; next paid at 2026-11-30T11:30:00.000Z"),
  )
  await here.types(["allowance", "add", "Lunch", "5", "--period", "day", "--to", "ana,bruno", "--to", "ana"])
  const { stdout } = await here.types(["allowance", "list", "--json"])
  expect(JSON.parse(stdout)).toEqual([
    {
      id: 1,
      name: "Monthly allowance",
      value: 100,
      mode: "top_up",
      period: "month",
      on: "last",
      at: "08:30",
      audience: { dept: "sales" },
      starts_on: null,
      ends_on: null,
      catch_up: "latest",
      active: true,
      next: "2026-11-30T11:30:00.000Z",
      last: null,
    },
    expect.objectContaining({ id: 2, on: null, audience: { usernames: ["ana", "bruno"] }, mode: "add" }),
  ])
  expect((await here.types(["allowance", "list"])).stdout).toContain("month on last at 08:30  department sales")
  expect(await here.types(["allowance", "pause", "1"])).toEqual(done("Allowance 1 (Monthly allowance): paused"))
  expect(await here.types(["allowance", "run", "1"])).toEqual(
    done("Allowance 1 (Monthly allowance): 100 paid to 1 user for the period from 2026-10-01"),
  )
  expect(await here.types(["allowance", "run", "1"])).toEqual(refused("This period is paid already"))
  expect(await here.types(["allowance", "resume", "1"], "2026-12-01")).toEqual(
    done("Allowance 1 (Monthly allowance): resumed; next paid at 2026-12-31T11:30:00.000Z"),
  )
  expect(await here.types(["allowance", "remove", "1"])).toEqual(done("Allowance 1 (Monthly allowance): removed"))
  expect(await here.types(["allowance", "remove", "1"])).toEqual(refused("Allowance not found"))
  const audit = await here.types(["audit", "--action", "allowance_run", "--json"])
  expect(JSON.parse(audit.stdout)).toMatchObject([
    { way: "command line", detail: "Monthly allowance: top_up 100 each month, 2026-10-01" },
  ])
})

test("invalid options are refused", async () => {
  await using here = await operatorWithPeople()

  expect(await here.types([...monthly, "--on", "31"])).toEqual(refused('on: a day from 1 to 28, or "last"'))
  expect(await here.types([...monthly, "--at", "9"])).toEqual(refused("at: a time such as 09:00"))
  expect(await here.types([...monthly, "--starts", "soon"])).toEqual(refused("starts_on: a day such as 2026-12-31"))
  expect(await here.types([...monthly, "--to", "zoe,ana"])).toEqual(refused("User not found: zoe"))
  expect(await here.types([...monthly, "--dept", "nobody's"])).toEqual(
    refused("audience: nobody is in this department"),
  )
  expect(await here.types(["allowance", "add", "Budget", "much"])).toEqual(
    misused("VALUE must be an integer", "See: rewards allowance add --help"),
  )
  expect((await here.types([...monthly, "--to", "ana", "--dept", "sales"])).status).toBe(2)
  expect((await here.types([...monthly, "--period", "year"])).status).toBe(2)
  expect(await here.types(["allowance", "run", "x"])).toEqual(
    misused("ID must be the id of an allowance", "See: rewards allowance run --help"),
  )
  expect(JSON.parse((await here.types(["allowance", "list", "--json"])).stdout)).toEqual([])
})

test("an allowance whose audience is damaged is listed as such, not run, and can be removed", async () => {
  await using operates = await operator()
  await operates.types(["allowance", "add", "One", "5"])
  tamper(join(operates.folder, "rewards.db"), "UPDATE allowances SET audience = '{x'")

  expect((await operates.types(["allowance", "list"])).stdout).toContain("damaged")
  expect(await operates.types(["allowance", "run", "1"])).toEqual(
    refused(
      "the database is damaged: allowance 1 has an audience that is none; " +
        "`rewards verify` lists everything that is wrong with it",
    ),
  )
  expect(await operates.types(["allowance", "remove", "1"])).toEqual(done("Allowance 1 (One): removed"))
})
