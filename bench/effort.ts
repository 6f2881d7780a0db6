import { join } from "node:path"
import { foundCompany } from "./company.ts"
import { peopleFiles } from "./crowds.ts"
import { sizesOf } from "./databases.ts"
import { type Figure, ratio } from "./figure.ts"
import { interleaved, type Options, type Report } from "./part.ts"
import { cpuMs, residentMiB } from "./process.ts"
import { compiled } from "./programs.ts"
import { newFolder, type Server, start, startRewards } from "./server.ts"
import { openShelf } from "./shelf.ts"
import { type Load, load } from "./wrk.ts"

const connections = 32

/** Processor time of the server for each request, all its threads together, beside the framework's constant answer. */
export async function effort(options: Options): Promise<Report> {
  await using folder = await newFolder(options.cache)
  await using otherFolder = await newFolder(options.cache)
  const peopleFile = await foundCompany(folder.path)
  await using shelf = await openShelf(Math.max(...sizesOf(options)), options)
  const page = join(folder.path, "page.json")
  await Bun.write(page, (await shelf.ask("admin", { path: "/transaction/" })).body)
  const executable = await compiled("yardstick", options.cache)
  await using yardstick = await start({ executable, folder: otherFolder.path, env: { PAGE: page } })
  await using ours = await startRewards(options.executable, folder.path)
  const { members } = await peopleFiles(shelf.database, otherFolder.path)

  const compared = async (name: string, server: Subject, wanted: Wanted): Promise<Figure> => {
    const us = await interleaved(1 + (options.quick ? 1 : options.rounds), ["ours", "other"], (side) =>
      cpuUs(side === "ours" ? server : yardstick, options.seconds, wanted),
    )
    // The first round warms up.
    const [own, other] = [us.ours.slice(1), us.other.slice(1)]
    return ratio(name, { rounds: own, unit: " µs" }, { rounds: other, unit: " µs" })
  }
  return {
    figures: [
      await compared("processor time for a transfer", ours, { what: "transfers", credential: "bearer", peopleFile }),
      { name: "memory after those transfers", rounds: [residentMiB(ours.pid)], unit: " MiB" },
      await compared("processor time for a page of 50", shelf, {
        what: "pages",
        credential: "bearer",
        peopleFile: members,
        pages: 2,
      }),
    ],
  }
}

type Subject = Pick<Server, "url" | "pid">
type Wanted = Omit<Load, "url" | "connections" | "seconds">

async function cpuUs({ url, pid }: Subject, seconds: number, wanted: Wanted): Promise<number> {
  const before = cpuMs(pid)
  const { requests } = await load({ url, connections, seconds, ...wanted })
  return ((cpuMs(pid) - before) * 1000) / requests
}
