import { expect, test } from "bun:test"
import { Webhook } from "standardwebhooks"
import { createReceiver } from "../support/receiver.ts"
import { done, operator, operatorWithDatabase, refused } from "./operator.ts"

const secret = { REWARDS_SECURITY__SECRET_KEY: "a secret of at least thirty-two bytes" }

test("webhooks are added, listed, tested and removed; the secret is printed once and signs deliveries", async () => {
  await using here = await operator()
  const receiver = await createReceiver(null)
  const env = { ...secret, REWARDS_WEBHOOKS__ALLOW_PRIVATE: "127.0.0.0/8", REWARDS_WEBHOOKS__PORTS: `${receiver.port}` }
  const types = (...args: string[]) => here.types(["webhook", ...args], { env })
  try {
    const added = await types("add", receiver.url, "--event", "user.created,user.updated", "--description", "HR")
    expect(added.stdout).toMatch(/^Webhook 1 \(http:.*\): added\. Its secret, shown only now: whsec_/)
    expect(await types("add", receiver.url, "--format", "teams")).toEqual(
      done(`Webhook 2 (${receiver.url}): added. It needs no secret.`),
    )
    const { stdout } = await types("list", "--json")
    expect(stdout).not.toContain("whsec_")
    expect(JSON.parse(stdout)).toEqual([
      {
        ...{ id: 1, format: "standard", url: receiver.url, events: ["user.created", "user.updated"] },
        ...{ description: "HR", active: true, state: "active", last_success: null },
      },
      expect.objectContaining({ id: 2, format: "teams", events: [] }),
    ])
    expect((await types("list")).stdout).toContain("user.created, user.updated  active  never")

    expect((await types("test", "1")).stdout).toMatch(/^Delivered in \d+ ms: the receiver answered 200$/m)
    const [received] = receiver.take()
    const shown = /whsec_\S+/.exec(added.stdout)?.[0] ?? ""
    const headers = Object.fromEntries(
      Object.entries(received?.headers ?? {}).map(([name, value]) => [name, `${value}`]),
    )
    expect(new Webhook(shown).verify(received?.body ?? "", headers)).toMatchObject({ type: "webhook.test" })
    receiver.answer({ status: 401 })
    expect(await types("test", "1")).toEqual(refused("answered 401"))

    expect(await types("skip", "1")).toEqual(refused("No delivery waits"))
    expect(await types("remove", "1")).toEqual(done(`Webhook 1 (${receiver.url}): removed`))
    expect(await types("remove", "1")).toEqual(refused("Webhook not found"))
    expect(await here.types(["audit", "--action", "webhook_added", "--json"])).toMatchObject({
      stdout: expect.stringContaining(`http://127.0.0.1:${receiver.port}, standard`),
    })
  } finally {
    await receiver.close()
  }
})

test("a private address, an unknown event type and an invalid id are refused", async () => {
  await using here = await operatorWithDatabase()
  const types = (...args: string[]) => here.types(["webhook", ...args], { env: secret })
  expect(await types("add", "https://127.0.0.1/")).toEqual(
    refused("url: it has an address that is not public; to allow it, list its network in webhooks.allow_private"),
  )
  expect(await types("add", "https://93.184.216.34/", "--event", "all")).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("events: some of transaction.created"),
  })
  expect(await types("test", "one")).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("ID must be the id of a webhook"),
  })
})
