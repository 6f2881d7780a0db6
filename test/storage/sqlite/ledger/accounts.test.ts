import { expect, test } from "bun:test"
import { type Account, createAccounts } from "../../../../src/storage/sqlite/ledger/append.ts"
import { connect, testFolder } from "../../files.ts"

/** Accounts of users 1 to 9 in a cache with these limits. */
async function cachedAccounts(limits: { readonly accounts: number; readonly entries: number }) {
  const folder = await testFolder()
  const connection = await connect(folder.file("rewards.db"))
  const insert = connection.writer.prepare<unknown, [string]>(
    `INSERT INTO users (username, username_key, name, email, email_key, dept, currency, password)
     VALUES (?1, ?1, ?1, ?1, ?1, 'sales', 'USD', printf('%60s', ''))`,
  )
  for (let user = 1; user <= 9; user += 1) insert.run(`u${user}`)
  return {
    accounts: createAccounts(connection.writer, connection.usersVersion, limits),
    async [Symbol.asyncDispose]() {
      await connection.close()
      await folder[Symbol.asyncDispose]()
    },
  }
}

/** As if the account had received this many points one by one, and none had gone into a block. */
function receive({ received }: Account, count: number) {
  for (let id = 1; id <= count; id += 1) {
    received.recent.ids.push(id)
    received.recent.values.push(1)
  }
}

test("accounts stay in memory until there are too many", async () => {
  await using cached = await cachedAccounts({ accounts: 3, entries: 100 })
  const { accounts } = cached
  accounts.refresh()
  const [first] = [accounts.of(1), accounts.of(2), accounts.of(3)]
  accounts.refresh()
  expect(accounts.of(1)).toBe(first)

  accounts.of(4)
  accounts.refresh()
  expect(accounts.of(1)).not.toBe(first)
})

test("accounts stay in memory until their lists have too many entries; entries in blocks do not count", async () => {
  await using cached = await cachedAccounts({ accounts: 100, entries: 100 })
  const { accounts } = cached
  accounts.refresh()
  const account = accounts.of(1)
  receive(account, 50)
  accounts.count(60) // 120 entries were appended, and 70 of them are in blocks
  accounts.refresh()
  expect(accounts.of(1)).toBe(account)

  receive(account, 51)
  accounts.count(26)
  accounts.refresh()
  expect(accounts.of(1)).not.toBe(account)
})
