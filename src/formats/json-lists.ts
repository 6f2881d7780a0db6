import type { PersonalSlice } from "../domain/people/model.ts"
import { nextTick } from "../domain/ticks.ts"

/**
 * Yields one JSON object of lists piece by piece, with one row on each line. The slices of one list must be adjacent.
 */
export async function* jsonLists(slices: AsyncIterable<PersonalSlice>): AsyncGenerator<string, void> {
  let open: string | null = null
  let isFirst = true
  for await (const { list, rows } of slices) {
    let piece = ""
    if (list !== open) {
      piece = `${open === null ? "{" : "\n],"}\n${JSON.stringify(list)}: [`
      open = list
      isFirst = true
    }
    for (const row of rows) {
      piece += `${isFirst ? "" : ","}\n${JSON.stringify(row)}`
      isFirst = false
    }
    if (piece !== "") yield piece
  }
  yield open === null ? "{}\n" : "\n]\n}\n"
}

/** The items of all slices as one JSON array, as bytes. Other requests run between two slices. */
export async function jsonList<T>(
  slices: AsyncIterable<readonly T[]>,
  view: (item: T) => unknown,
  isListed: (item: T) => boolean = () => true,
): Promise<Buffer> {
  const written: Buffer[] = []
  for await (const slice of slices) {
    const items = JSON.stringify(slice.filter(isListed).map(view)).slice(1, -1)
    if (items !== "") written.push(Buffer.from(`${written.length === 0 ? "" : ","}${items}`))
  }
  return Buffer.concat([Buffer.from("["), ...written, Buffer.from("]")])
}

/** Yields a list in slices, one in each tick of the event loop. */
export async function* inSlices<T>(items: readonly T[], length = 500): AsyncGenerator<readonly T[], void> {
  for (let from = 0; from < items.length; from += length) {
    yield items.slice(from, from + length)
    await nextTick()
  }
}
