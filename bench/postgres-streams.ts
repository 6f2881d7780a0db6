import { createCompany, openInProcess, readPeople } from "./company.ts"
import { openDashboards, type Seen } from "./dashboards.ts"
import { startPostgres } from "./postgresql.ts"
import type { Options, Report } from "./report.ts"
import { newFolder, startRewards } from "./server.ts"
import { delayFigures, delaysOf, differences, faultFigure, perSecond, sendSteadily } from "./streams.ts"

/** Dashboards of each process. */
const dashboards = 500
const settleMs = 1500

/** Two processes on one PostgreSQL, each with dashboards. One of the processes gets 100 transfers a second. */
export async function postgresStreams({ cache, executable, rounds, quick }: Options): Promise<Report> {
  await using open = new AsyncDisposableStack()
  const server = open.use(await startPostgres(open.use(await newFolder(cache)).path))
  const url = await server.url("rewards")
  const start = async () =>
    open.use(await startRewards(executable, open.use(await newFolder(cache)).path, { REWARDS_DB__URL: url }))
  const people = await readPeople(await createCompany(open.use(await newFolder(cache)).path, { url }))
  const [taking, other] = [await start(), await start()]
  const lastId = await lastIdIn(url)
  const watch = async (watched: { readonly url: string }) =>
    open.use(
      await openDashboards({
        port: Number(new URL(watched.url).port),
        path: `/transaction/ws?after=${lastId}`,
        count: dashboards,
      }),
    )
  const [here, there] = [await watch(taking), await watch(other)]
  await Bun.sleep(settleMs)

  const seconds = quick ? 3 : 5
  const delaysHere: number[][] = []
  const delaysThere: number[][] = []
  let seen: readonly [Seen, Seen] | null = null
  for (let sent = 0; delaysHere.length < rounds; sent += perSecond * seconds) {
    const answeredMs = await sendSteadily({ url: taking.url, people, perSecond, seconds, firstValue: sent + 1 })
    const total = sent + perSecond * seconds
    seen = await Promise.all([here.seen(total), there.seen(total)])
    delaysHere.push(delaysOf(answeredMs, [seen[0]]))
    delaysThere.push(delaysOf(answeredMs, [seen[1]]))
  }
  const faults = [...(seen ?? []).flatMap((half) => half.faults), ...(await differences(url, seen ?? []))]
  const each = `${dashboards} dashboards`
  return {
    figures: [
      ...delayFigures(`${each} of the process that takes the transfers`, delaysHere),
      ...delayFigures(`${each} of the other process`, delaysThere),
      faultFigure("both", faults),
    ],
  }
}

async function lastIdIn(url: string): Promise<number> {
  await using inProcess = await openInProcess(url)
  return await inProcess.app.store.ledger.lastId()
}
