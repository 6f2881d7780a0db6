import { join } from "node:path"
import { crowds, peopleFiles } from "./crowds.ts"
import { sizesOf } from "./databases.ts"
import { type Figure, ratio } from "./figure.ts"
import { interleaved, type Options, type Report } from "./part.ts"
import { compiled } from "./programs.ts"
import { newFolder, start } from "./server.ts"
import { openShelf } from "./shelf.ts"
import { load, rates } from "./wrk.ts"

/** The least part of the rate at which the framework answers the same bytes from memory. */
const atLeast = 0.2
const warmUp = { connections: 32, seconds: 1 }

/** Pages of 50 from the longest history, beside the same framework answering the bytes of one from memory. */
export async function pageLoad(options: Options): Promise<Report> {
  await using shelf = await openShelf(Math.max(...sizesOf(options)), options)
  await using folder = await newFolder(options.cache)
  const page = join(folder.path, "page.json")
  await Bun.write(page, (await shelf.ask("admin", { path: "/transaction/?page=7" })).body)
  const executable = await compiled("yardstick", options.cache)
  await using memory = await start({ executable, folder: folder.path, env: { PAGE: page } })
  const files = await peopleFiles(shelf.database, folder.path)

  const figures: Figure[] = []
  for (const { name, pages } of options.quick ? crowds.slice(1) : crowds) {
    const wanted = { what: "pages", credential: "bearer", peopleFile: files[name], pages } as const
    for (const { url } of [shelf, memory]) await load({ url, ...warmUp, ...wanted })
    for (const connections of [8, 128]) {
      const { ours, other } = await interleaved(options.rounds, ["ours", "other"], (side) =>
        load({ url: side === "ours" ? shelf.url : memory.url, connections, seconds: options.seconds, ...wanted }),
      )
      figures.push(ratio(`pages of 50 as ${name}, ${connections} connections`, rates(ours), rates(other), { atLeast }))
    }
  }
  return { figures }
}
