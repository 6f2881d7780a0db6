import { expect, test } from "bun:test"
import { auditEntry } from "../../../../src/domain/audit/audit-log.ts"
import { createUserStore } from "../../../../src/storage/people/users.ts"
import { createDatabase } from "../../../../src/storage/postgres/database/database.ts"
import { createRewardStore } from "../../../../src/storage/rewards.ts"
import { threePeople } from "../../contract/people.ts"
import { testClient, untilWaiting } from "../support.ts"

const pictureOf = (letter: string) => ({ hash: letter.repeat(64), kind: "png", bytes: new Uint8Array([1]) }) as const

test("a picture that a reward gives up is kept if somebody takes it as an avatar at the same moment", async () => {
  await using subject = await testClient({ migrated: true, poolSize: 4 })
  const { client } = subject
  const [users, rewards] = [
    createUserStore(createDatabase(client), async () => {}),
    createRewardStore(createDatabase(client)),
  ]
  const { ana } = await threePeople({ users })
  const entry = auditEntry({ who: null, way: "server", address: null }, 9, "reward_changed")
  const reward = {
    name: "Mug",
    description: null,
    cost: 1,
    stock: null,
    limitPerPerson: null,
    isActive: true,
    moneyValue: null,
    isTaxable: false,
    emoji: null,
  }
  const { id } = await rewards.create(reward, entry)
  await rewards.savePicture(id, pictureOf("a"), entry)
  const changes: Promise<unknown>[] = []

  await client.transaction(async ({ query }) => {
    await query("SELECT FROM users WHERE id = $1 FOR UPDATE", [ana.id])
    changes.push(users.saveAvatar(ana.id, pictureOf("a")))
    await untilWaiting(client, 1)
    const replaced = rewards.savePicture(id, pictureOf("b"), entry)
    changes.push(replaced)
    await Promise.race([replaced, untilWaiting(client, 2)])
  })

  await Promise.all(changes)
  expect(await users.picture("a".repeat(64))).toEqual(pictureOf("a"))
})
