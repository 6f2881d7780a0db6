import { statSync } from "node:fs"
import { database, sizesOf } from "./databases.ts"
import { type Figure, ratio } from "./figure.ts"
import { interleaved, type Options, type Report } from "./part.ts"
import { idlePercent, residentMiB } from "./process.ts"
import { compiled, embeddedBytes } from "./programs.ts"
import { newFolder, start, startRewards } from "./server.ts"
import { startToFirstAnswer } from "./startup.ts"

const [startAtMost, memoryAtMost, sizeAtMost, idlePercentAtMost] = [1.5, 1.5, 1.1, 1]

/** After the start, until memory and processor are looked at: admin's default password is being checked then. */
const settleMs = 1500

/** What the server costs before anybody uses it. */
export async function budgets(options: Options): Promise<Report> {
  const bare = await compiled("bare", options.cache)
  return { figures: [...(await starts(options, bare)), ...(await idling(options, bare)), await size(options, bare)] }
}

async function starts(options: Options, bare: string): Promise<Figure[]> {
  const { cache, executable, quick } = options
  const rows = Math.max(...sizesOf(options))
  const long = { REWARDS_DB__PATH: await database(rows, cache) }
  await using folder = await newFolder(cache)
  const first = await startToFirstAnswer(executable, folder.path)
  const ms = await interleaved(quick ? 5 : 15, ["ours", "bare", "long"], (side) => {
    if (side === "bare") return startToFirstAnswer(bare, folder.path)
    return startToFirstAnswer(executable, folder.path, side === "long" ? long : {})
  })
  const [ours, aged, other] = [inUnit(ms.ours, " ms"), inUnit(ms.long, " ms"), inUnit(ms.bare, " ms")]
  return [
    ratio("start to first answer, beside a bare server", ours, other, { atMost: startAtMost }),
    ratio(`the same with ${rows.toLocaleString("en")} rows`, aged, other, { atMost: startAtMost }),
    { name: "very first start: admin's password is hashed", rounds: [first], unit: " ms" },
  ]
}

async function idling(options: Options, bare: string): Promise<Figure[]> {
  const { cache, executable, rounds, quick } = options
  const { ours, other } = await interleaved(quick ? 1 : rounds, ["ours", "other"], async (side) => {
    await using folder = await newFolder(cache)
    const { path } = folder
    await using server = await (side === "ours"
      ? startRewards(executable, path)
      : start({ executable: bare, folder: path }))
    await Bun.sleep(settleMs)
    const memory = residentMiB(server.pid)
    return { memory, processor: await idlePercent(server.pid, quick ? 2 : 5) }
  })
  const memory = (side: typeof ours) =>
    inUnit(
      side.map(({ memory }) => memory),
      " MiB",
    )
  return [
    ratio("idle memory, beside a bare server", memory(ours), memory(other), { atMost: memoryAtMost }),
    {
      name: "idle processor time, no stream open",
      rounds: ours.map(({ processor }) => processor),
      unit: " %",
      target: { atMost: idlePercentAtMost },
    },
  ]
}

async function size({ executable }: Options, bare: string): Promise<Figure> {
  const mib = (bytes: number) => inUnit([bytes / 2 ** 20], " MiB")
  const empty = statSync(bare).size + (await embeddedBytes())
  const name = "executable, beside an empty one and the files in it"
  return ratio(name, mib(statSync(executable).size), mib(empty), { atMost: sizeAtMost })
}

const inUnit = (rounds: readonly number[], unit: string) => ({ rounds, unit })
