import { expect, test } from "bun:test"
import { join } from "node:path"
import { refused } from "../cli/operator.ts"
import { createAuthority } from "../support/authority.ts"
import { createClient } from "../support/client.ts"
import { runCommand, startServer, temporaryFolder } from "../support/executable.ts"
import { startSmtpServer } from "../support/smtp.ts"

test("mail is sent to a server with a certificate from the authority in email.smtp_ca, and doctor trusts it too", async () => {
  await using folder = await temporaryFolder()
  const mail = await startSmtpServer()
  await Bun.write(join(folder.path, "ca.pem"), mail.ca)
  const env = sending(mail.port, "ca.pem")
  const server = await startServer({ cwd: folder.path, env })
  try {
    const { stdout } = await runCommand(["doctor"], { cwd: folder.path, env })
    expect(stdout).toMatch(/^(ok|warn) +mail /m)

    const { stdout: people } = await runCommand(["user-list", "--json"], { cwd: folder.path, env })
    const [{ email }] = JSON.parse(people)
    await createClient(server.url).post("/user/pwd_reset_token/", { email })
    const [received] = await mail.received(1)
    expect(received?.envelope.to).toEqual([email])
  } finally {
    await server.stop()
    await mail.stop()
  }
}, 120_000)

test("a file without an authority stops the start before the database is touched, and doctor names it", async () => {
  await using folder = await temporaryFolder()
  const { key } = await (await createAuthority()).issue(["127.0.0.1"])
  await Bun.write(join(folder.path, "key.pem"), key)
  await Bun.write(join(folder.path, "empty.pem"), "")

  for (const [file, problem] of [
    ["none.pem", "email.smtp_ca: none.pem cannot be read: there is no such file"],
    ["empty.pem", "email.smtp_ca: empty.pem must hold certificates in PEM form and nothing else"],
    ["key.pem", "email.smtp_ca: key.pem must hold certificates in PEM form and nothing else"],
  ] as const) {
    const env = sending(1, file)
    expect(await runCommand(["serve", "--port", "0"], { cwd: folder.path, env })).toEqual(refused(problem))
    expect(await runCommand(["doctor"], { cwd: folder.path, env })).toMatchObject({
      status: 1,
      stdout: expect.stringContaining(problem),
    })
  }
  expect([...new Bun.Glob("*.db*").scanSync(folder.path)]).toEqual([])
}, 120_000)

test("a mail server with an untrusted authority is reported with the setting to use", async () => {
  const mail = await startSmtpServer()
  const { stdout } = await runCommand(["doctor"], { env: sending(mail.port) })
  await mail.stop()
  expect(stdout).toMatch(/^bad +mail .*certificate.*set email\.smtp_ca to a file with that certificate$/m)
})

const sending = (port: number, authority?: string) => ({
  REWARDS_EMAIL__DEBUG_MODE: "false",
  REWARDS_EMAIL__SMTP_SERVER: "127.0.0.1",
  REWARDS_EMAIL__SMTP_PORT: String(port),
  REWARDS_EMAIL__SMTP_CA: authority,
})
