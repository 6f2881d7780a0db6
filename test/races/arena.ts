import { join } from "node:path"
import { cheapPasswords, everybodysPassword } from "../support/cheap-passwords.ts"
import { type Client, createClient } from "../support/client.ts"
import { bearer, logIn } from "../support/credentials.ts"
import { nextResetToken } from "../support/debug-mail.ts"
import { runCommand, startServer, temporaryFolder } from "../support/executable.ts"

/** Two servers on one database, so that what runs at once runs in two processes too. */
export interface Arena extends AsyncDisposable {
  readonly urls: readonly [string, string]
  readonly admin: Client
  /** Ana at each server. */
  readonly ana: readonly [Client, Client]
  /** A reset token of Ana's, from a mail. */
  resetToken(): Promise<string>
}

const env = {
  REWARDS_EMAIL__DEBUG_DELAY_SECONDS: "0",
  REWARDS_LIMITS__LOGIN_FAILURES: "1000000",
  REWARDS_LIMITS__RESET_MAILS: "1000000",
  REWARDS_LIMITS__TRANSFERS_PER_MINUTE: "0",
}

export async function openArena(): Promise<Arena> {
  const folder = await temporaryFolder()
  const cwd = folder.path
  for (const name of ["ana", "bruno"])
    await runCommand(["create-user", name, `${name}@example.com`, everybodysPassword, "sales"], { cwd })
  cheapPasswords(join(cwd, "rewards.db"))
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

/** One of two, in turns. */
export const inTurn = <T>([first, second]: readonly [T, T], turn: number): T => (turn % 2 === 0 ? first : second)
