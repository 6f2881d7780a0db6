import { expect, test } from "bun:test"
import { refused } from "../support/answers.ts"
import { query } from "../support/database.ts"
import { startTestServer, type TestServer } from "../support/server.ts"

const settings = { "recognition.tags": "teamwork, help, café" }
const added = { status: 201, body: { message: "Transaction added" } }

/** What is stored with transactions, in their order. */
const notesOf = ({ app }: TestServer) =>
  query(app.config.db, "SELECT transaction_id, reason, tags, private FROM notes ORDER BY transaction_id")

test("a transfer accepts a reason and tags, which are stored with it", async () => {
  await using server = await startTestServer({ settings })
  const [admin] = [await server.admin(), await server.person("Ana")]
  const thanks = { value: 1, reason: "  Thank you,\r\nAna! 🎉 ", tags: ["help", "cafe\u0301"], private: true }

  expect(await admin.post("/transaction/ana/", thanks)).toEqual(added)
  expect(await admin.post("/transaction/ana/", { value: 1 })).toEqual(added)
  expect(await admin.post("/transaction/ana/", { value: 1, tags: ["teamwork"] })).toEqual(added)
  expect(await admin.post("/transaction/ana/", { value: 1, reason: "x".repeat(500), private: false })).toEqual(added)

  expect(await notesOf(server)).toEqual([
    { transaction_id: 1, reason: "Thank you,\nAna! 🎉", tags: "help café", private: 1 },
    { transaction_id: 3, reason: "", tags: "teamwork", private: 0 },
    { transaction_id: 4, reason: "x".repeat(500), tags: "", private: 0 },
  ])
})

test("without reason and tags no note is stored, and without a reason nothing is private", async () => {
  await using server = await startTestServer({ settings })
  const [admin] = [await server.admin(), await server.person("Ana")]

  for (const nothing of [
    { reason: null },
    { reason: "" },
    { reason: " \n\t " },
    { tags: [] },
    { private: true },
    { reason: "", tags: [], private: true },
  ])
    expect(await admin.post("/transaction/ana/", { value: 1, ...nothing })).toEqual(added)
  expect(await admin.post("/transaction/ana/", { value: 1, tags: ["help"], private: true })).toEqual(added)

  expect(await notesOf(server)).toEqual([{ transaction_id: 7, reason: "", tags: "help", private: 0 }])
})

const badReason = "reason: text of at most 500 visible characters; line breaks are kept"
const badTags = "tags: each at most once, of teamwork, help, café"

for (const [what, said, detail] of [
  ["a reason of 501 characters", { reason: "🎉".repeat(501) }, badReason],
  ["a reason with a NUL", { reason: "a\0b" }, badReason],
  ["a reason with an escape", { reason: "a\x1b[31mb" }, badReason],
  ["a reason with half a character", { reason: "a\ud83c" }, badReason],
  ["a reason that is no text", { reason: 5 }, "reason: a text or null"],
  ["a tag that nobody knows", { tags: ["help", "secret-word"] }, badTags],
  ["a tag in other letters", { tags: ["Help"] }, badTags],
  ["a tag twice", { tags: ["help", "help"] }, "tags: each at most once"],
  ["tags that are no list", { tags: "help" }, "tags: a list"],
  ["a tag that is no text", { tags: [5] }, "tags.0: a text"],
  ["private that is neither true nor false", { private: "yes" }, "private: true or false"],
] as const)
  test(`${what} is refused without repeating the value; nothing is recorded`, async () => {
    await using server = await startTestServer({ settings })
    const [admin] = [await server.admin(), await server.person("Ana")]

    expect(await admin.post("/transaction/ana/", { value: 1, ...said })).toEqual(refused(422, detail))

    expect(await admin.get("/transaction/")).toMatchObject({ body: { total: 0 } })
  })

test("if no tags are configured, any tag is refused", async () => {
  await using server = await startTestServer()
  const [admin] = [await server.admin(), await server.person("Ana")]

  expect(await admin.post("/transaction/ana/", { value: 1, tags: ["help"] })).toEqual(
    refused(422, "tags: this server has no tags"),
  )
})

test("a transaction in the contract's answers has the contract's fields only", async () => {
  await using server = await startTestServer({ settings })
  const [admin] = [await server.admin(), await server.person("Ana")]
  await admin.post("/transaction/ana/", { value: 1, reason: "Thanks", tags: ["help"] })

  const { body } = await admin.get<{ items: object[] }>("/transaction/")

  expect(body.items.map(Object.keys)).toEqual([["id", "value", "date", "user", "from_user", "user_id", "from_id"]])
})
