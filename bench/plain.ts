import { Database } from "bun:sqlite"
import { jwt } from "@elysiajs/jwt"
import { and, count, desc, eq, gte, or, sql } from "drizzle-orm"
import { drizzle } from "drizzle-orm/bun-sqlite"
import { alias, index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core"
import { Elysia, status, t } from "elysia"

/*
 * What somebody would write in an afternoon: the same three requests on Elysia, Drizzle and SQLite, with one commit for each
 * transfer. Its statements are prepared, and every commit is durable. `DATABASE` names its file, which `fillPlain` fills.
 */

const users = sqliteTable("users", {
  id: integer().primaryKey(),
  username: text().notNull().unique(),
  name: text().notNull(),
  dept: text().notNull(),
  currency: text().notNull(),
  avatar: text(),
  bio: text(),
  balance: integer().notNull(),
})
const transactions = sqliteTable(
  "transactions",
  {
    id: integer().primaryKey(),
    userId: integer("user_id").notNull(),
    fromId: integer("from_id").notNull(),
    value: integer().notNull(),
    date: integer().notNull(),
  },
  ({ userId, fromId, id }) => [index("by_user").on(userId, id), index("by_from").on(fromId, id)],
)
const receiver = alias(users, "receiver")
const sender = alias(users, "sender")

const client = new Database(process.env.DATABASE)
client.run("PRAGMA journal_mode = WAL")
client.run("PRAGMA synchronous = FULL")
const db = drizzle(client)
const given = sql.placeholder

const userNamed = db
  .select()
  .from(users)
  .where(eq(users.username, given("username")))
  .prepare()
const take = db
  .update(users)
  .set({ balance: sql`${users.balance} - ${given("value")}` })
  .where(and(eq(users.id, given("id")), gte(users.balance, given("value"))))
  .returning({ id: users.id })
  .prepare()
const give = db
  .update(users)
  .set({ balance: sql`${users.balance} + ${given("value")}` })
  .where(eq(users.id, given("id")))
  .prepare()
const append = db
  .insert(transactions)
  .values({ userId: given("userId"), fromId: given("fromId"), value: given("value"), date: given("date") })
  .prepare()
const own = or(eq(transactions.userId, given("id")), eq(transactions.fromId, given("id")))
const page = db
  .select({ id: transactions.id, user: receiver, fromUser: sender, value: transactions.value, date: transactions.date })
  .from(transactions)
  .innerJoin(receiver, eq(receiver.id, transactions.userId))
  .innerJoin(sender, eq(sender.id, transactions.fromId))
  .where(own)
  .orderBy(desc(transactions.id))
  .limit(50)
  .offset(given("offset"))
  .prepare()
const total = db.select({ count: count() }).from(transactions).where(own).prepare()

const { server } = new Elysia()
  .use(jwt({ name: "jwt", secret: process.env.SECRET ?? "" }))
  .resolve(async ({ jwt, headers }) => {
    const claims = await jwt.verify(headers.authorization?.replace(/^Bearer /, ""))
    const caller = claims && userNamed.get({ username: claims.sub })
    return caller ? { caller } : status(401)
  })
  .post(
    "/transaction/:username/",
    ({ caller, params, body: { value } }) =>
      db.transaction(
        () => {
          const user = userNamed.get(params)
          if (!user) return status(404)
          if (!take.get({ id: caller.id, value })) return status(403)
          give.run({ id: user.id, value })
          append.run({ userId: user.id, fromId: caller.id, value, date: Date.now() })
          return status(201, { message: "Transaction added" })
        },
        { behavior: "immediate" },
      ),
    { body: t.Object({ value: t.Integer({ minimum: 1 }) }) },
  )
  .get(
    "/transaction/",
    ({ caller: { id }, query }) => ({
      transactions: page.all({ id, offset: (query.page - 1) * 50 }),
      total: total.get({ id })?.count,
    }),
    { query: t.Object({ page: t.Integer({ minimum: 1, default: 1 }) }) },
  )
  .get("/user/:username/", ({ params }) => userNamed.get(params) ?? status(404))
  .listen({ hostname: "127.0.0.1", port: 0 })

console.error(JSON.stringify({ message: "listening", url: `http://127.0.0.1:${server?.port}` }))
