import { cheapPasswords, everybodysPassword } from "../support/cheap-passwords.ts"
import { copyDatabase } from "../support/database.ts"
import {
  type CommandResult,
  runCommand,
  type StartedServer,
  startServer,
  temporaryFolder,
} from "../support/executable.ts"
import type { Model, ModelUser } from "./state.ts"

/** A server with its own database. */
export interface ModelServer extends AsyncDisposable {
  readonly url: string
  /** Its working directory. */
  readonly path: string
  command(...args: readonly string[]): Promise<CommandResult>
  /** Stops it with this signal and starts it again. */
  restart(signal: "SIGTERM" | "SIGKILL"): Promise<void>
}

const env = {
  REWARDS_LIMITS__LOGIN_FAILURES: "1000000",
  REWARDS_LIMITS__TRANSFERS_PER_MINUTE: "0",
  REWARDS_EMAIL__DEBUG_DELAY_SECONDS: "0",
  REWARDS_STREAM__POLL_INTERVAL_SECONDS: "0.05",
}

export async function startModelServer(template: string): Promise<ModelServer> {
  const folder = await temporaryFolder()
  await copyDatabase(template, folder.path)
  let server: StartedServer = await startServer({ cwd: folder.path, env })
  return {
    get url() {
      return server.url
    },
    path: folder.path,
    command: (...args) => runCommand(args, { cwd: folder.path, env }),
    async restart(signal) {
      await server.stop(signal)
      server = await startServer({ cwd: folder.path, env })
    },
    async [Symbol.asyncDispose]() {
      await server.stop("SIGKILL")
      await folder[Symbol.asyncDispose]()
    },
  }
}

const firstUsers: readonly Pick<ModelUser, "username" | "name" | "dept">[] = [
  { username: "ana", name: "Ana", dept: "sales" },
  { username: "bruno", name: "Bruno", dept: "sales" },
  { username: "carla", name: "Carla", dept: "management" },
]

/** Writes the database with which every run starts into the folder. Returns a function that makes a model of it. */
export async function writeTemplate(folder: string): Promise<() => Model> {
  for (const { username, name, dept } of firstUsers)
    await runCommand(["create-user", name, `${username}@example.com`, everybodysPassword, dept], { cwd: folder })
  await cheapPasswords(folder)

  const shown = { currency: "USD", avatar: null, bio: null, password: everybodysPassword }
  const admin = { ...shown, username: "admin", name: "Admin", email: "admin@localhost", dept: "management" }
  const others = firstUsers.map((user) => ({ ...shown, ...user, email: `${user.username}@example.com` }))
  return () => ({
    users: [admin, ...others].map((user) => ({ ...user })),
    transactions: [],
    credentials: [],
    resetTokens: [],
  })
}
