import { join } from "node:path"
import { cheapPasswords, everybodysPassword } from "../support/cheap-passwords.ts"
import { type Client, createClient } from "../support/client.ts"
import { bearer, logIn } from "../support/credentials.ts"
import { nextResetToken } from "../support/debug-mail.ts"
import { runCommand, startServer, temporaryFolder } from "../support/executable.ts"

/** Two servers on one database, so that requests race across processes too. */
export interface TwoServers extends AsyncDisposable {
  readonly urls: readonly [string, string]
  readonly admin: Client
  /** Ana as a client of each server. */
  readonly ana: readonly [Client, Client]
  /** Requests a reset mail for Ana and returns the token in it. */
  resetToken(): Promise<string>
}

const env = {
  REWARDS_EMAIL__DEBUG_DELAY_SECONDS: "0",
  REWARDS_LIMITS__LOGIN_FAILURES: "1000000",
  REWARDS_LIMITS__RESET_MAILS: "1000000",
  REWARDS_LIMITS__TRANSFERS_PER_MINUTE: "0",
}

export async function startTwoServers(): Promise<TwoServers> {
  const folder = await temporaryFolder()
  const cwd = folder.path
  for (const name of ["ana", "bruno"])
    await runCommand(["create-user", name, `${name}@example.com`, everybodysPassword, "sales"], { cwd })
  await cheapPasswords(cwd)
  const servers = await Promise.all([startServer({ cwd, env }), startServer({ cwd, env })])
  const [{ url: one }, { url: other }] = servers
  const as = async (username: string) => bearer((await logIn(one, username, everybodysPassword)).access_token)
  const ana = await as("ana")

  return {
    urls: [one, other],
    admin: createClient(one, await as("admin")),
    ana: [createClient(one, ana), createClient(other, ana)],
    async resetToken() {
      const mail = await nextResetToken(join(cwd, "email.log"), "ana@example.com")
      await createClient(one).post("/user/pwd_reset_token/", { email: "ana@example.com" })
      return mail.arrives()
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(servers.map((server) => server.stop()))
      await folder[Symbol.asyncDispose]()
    },
  }
}

/** The first of two values for an even index, the second for an odd one. */
export const alternate = <T>([first, second]: readonly [T, T], index: number): T => (index % 2 === 0 ? first : second)
