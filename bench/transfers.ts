import { createCompany } from "./company.ts"
import { type Load, load, rates, slowest } from "./load.ts"
import { type Figure, interleaved, type Options, type Report, ratio } from "./report.ts"
import { compiled, newFolder, start, startRewards } from "./server.ts"

/** Numbers of connections. */
const [transferLevels, sessionLevels, usersLevel] = [[1, 8, 32, 128, 512], [32, 128], 32]

const warmUp = { connections: 64, seconds: 2 }

/** Transfers of 1,000 people with bearer tokens, compared with the framework alone, which answers a constant. */
export async function transfers(options: Options): Promise<Report> {
  await using servers = await startServers(options)
  await servers.warmUp(["bearer", "baseline"])
  const figures: Figure[] = []
  for (const connections of transferLevels) {
    const { bearer, baseline } = await servers.rounds(connections, ["bearer", "baseline"])
    const at = connections === 1 ? "1 connection" : `${connections} connections`
    figures.push(
      ratio(`transfers, ${at}`, rates(bearer), rates(baseline)),
      ratio(`99th percentile, ${at}`, slowest(bearer), slowest(baseline)),
    )
  }
  return { figures }
}

/** Like `transfers`, with session cookies. */
export async function sessions(options: Options): Promise<Report> {
  await using servers = await startServers(options)
  await servers.warmUp(["session", "bearer", "baseline"])
  const figures: Figure[] = []
  for (const connections of options.quick ? sessionLevels.slice(0, 1) : sessionLevels) {
    const { session, bearer, baseline } = await servers.rounds(connections, ["session", "bearer", "baseline"])
    figures.push(
      ratio(`transfers by cookie, ${connections} connections`, rates(session), rates(baseline)),
      ratio(`by cookie, of those by bearer, ${connections} connections`, rates(session), rates(bearer)),
    )
  }
  return { figures }
}

/** A user's details: those of anybody, and one's own with the balance. */
export async function users(options: Options): Promise<Report> {
  const figures: Figure[] = []
  for (const what of ["users", "balances"] as const) {
    await using servers = await startServers(options, what)
    await servers.warmUp(["bearer", "baseline"])
    const { bearer, baseline } = await servers.rounds(usersLevel, ["bearer", "baseline"])
    const name = what === "users" ? "a user's details" : "one's own with the balance"
    figures.push(ratio(`${name}, ${usersLevel} connections`, rates(bearer), rates(baseline)))
  }
  return { figures }
}

type Sender = "bearer" | "session" | "baseline"

async function startServers({ cache, executable, rounds, seconds }: Options, what: Load["what"] = "transfers") {
  const baselineProgram = await compiled("baseline", cache)
  await using open = new AsyncDisposableStack()
  const [ourFolder, otherFolder] = [open.use(await newFolder(cache)), open.use(await newFolder(cache))]
  const peopleFile = await createCompany(ourFolder.path)
  const ours = open.use(await startRewards(executable, ourFolder.path))
  const baseline = open.use(await start({ executable: baselineProgram, folder: otherFolder.path }))

  const run = (sender: Sender, connections: number, seconds: number) => {
    const { url } = sender === "baseline" ? baseline : ours
    const credential = sender === "session" ? "session" : "bearer"
    return load({ url, connections, seconds, what, credential, peopleFile })
  }
  const opened = open.move()
  return {
    async warmUp(senders: readonly Sender[]) {
      for (const sender of senders) await run(sender, warmUp.connections, warmUp.seconds)
    },
    rounds: <S extends Sender>(connections: number, senders: readonly S[]) =>
      interleaved(rounds, senders, (sender) => run(sender, connections, seconds)),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
