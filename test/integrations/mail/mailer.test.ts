import { afterEach, beforeEach, expect, test } from "bun:test"
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { MailFailure } from "../../../src/integrations/mail/failures.ts"
import { createDebugFileMailer, type Message } from "../../../src/integrations/mail/mailer.ts"

const never = new AbortController().signal

const toAna: Message = {
  from: "no-reply@localhost",
  to: "ana@example.com",
  subject: "Password reset for Rewards",
  text: "Open this link:\n\nhttp://localhost:8000/reset-password?pwd_reset_token=abc\n",
}

const anasEntry = `--- START EMAIL ana@example.com ---
From: no-reply@localhost
To: ana@example.com
Subject: Password reset for Rewards

Open this link:

http://localhost:8000/reset-password?pwd_reset_token=abc
--- END OF EMAIL ---
`

let folder: string
let path: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "rewards-mail-"))
  path = join(folder, "email.log")
})
afterEach(() => rm(folder, { recursive: true }))

const written = () => readFile(path, "utf8")

test("in debug mode a message is appended between the lines START EMAIL <email> and END OF EMAIL", async () => {
  const mailer = createDebugFileMailer({ path })

  await mailer.send(toAna, never)
  expect(await written()).toBe(anasEntry)

  await mailer.send({ ...toAna, to: "bruno@example.com" }, never)
  expect(await written()).toBe(anasEntry + anasEntry.replaceAll("ana@", "bruno@"))
})

test("the file is created readable by its owner only", async () => {
  await createDebugFileMailer({ path }).send(toAna, never)

  expect((await stat(path)).mode & 0o777).toBe(0o600)
})

test("an existing file keeps its content and its mode", async () => {
  await writeFile(path, "what was there\n")
  await chmod(path, 0o640)

  await createDebugFileMailer({ path }).send(toAna, never)

  expect(await written()).toBe(`what was there\n${anasEntry}`)
  expect((await stat(path)).mode & 0o777).toBe(0o640)
})

test("simultaneous messages do not mix", async () => {
  const text = "x".repeat(10_000)
  const mailers = [createDebugFileMailer({ path }), createDebugFileMailer({ path })]

  await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      mailers[index % 2]?.send({ ...toAna, to: `user-${index}@example.com`, text }, never),
    ),
  )

  const entries = [
    ...(await written()).matchAll(
      /--- START EMAIL (\S+) ---\nFrom: .*\nTo: \1\nSubject: .*\n\nx{10000}\n--- END OF EMAIL ---\n/g,
    ),
  ]
  expect(entries.map(([, email]) => email).toSorted()).toEqual(
    Array.from({ length: 40 }, (_, index) => `user-${index}@example.com`).toSorted(),
  )
  expect(entries.map(([entry]) => entry).join("")).toBe(await written())
})

test("neither address nor subject can add a line", async () => {
  const mailer = createDebugFileMailer({ path })

  const forged = mailer.send({ ...toAna, to: "ana@example.com ---\n--- END OF EMAIL ---" }, never)
  await expect(forged).rejects.toBeInstanceOf(MailFailure)
  await mailer.send({ ...toAna, subject: "Password reset for Rewards\r\nTo: evil@example.org" }, never)

  expect(await written()).toBe(anasEntry.replace("for Rewards", "for Rewards To: evil@example.org"))
})

test("failing to write the file is not a permanent failure", async () => {
  const sending = createDebugFileMailer({ path: join(folder, "missing", "email.log") }).send(toAna, never)

  await expect(sending).rejects.toMatchObject({ code: "ENOENT" })
})

test("an aborted attempt writes nothing", async () => {
  const sending = createDebugFileMailer({ path }).send(toAna, AbortSignal.abort())

  await expect(sending).rejects.toMatchObject({ name: "AbortError" })
  expect(await Bun.file(path).exists()).toBe(false)
})

test("a message shows its text part and how to unsubscribe", async () => {
  const unsubscribeUrl = "http://localhost:8000/unsubscribe?token=2.abc"
  await createDebugFileMailer({ path }).send(
    { ...toAna, text: "Hello\n", html: "<p>Hello</p>\n", unsubscribeUrl },
    never,
  )

  expect(await written()).toBe(`--- START EMAIL ana@example.com ---
From: no-reply@localhost
To: ana@example.com
Subject: Password reset for Rewards
List-Unsubscribe: <${unsubscribeUrl}>
List-Unsubscribe-Post: List-Unsubscribe=One-Click

Hello
--- END OF EMAIL ---
`)
})
