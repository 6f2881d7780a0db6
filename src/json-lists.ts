import type { PersonalSlice } from "./domain/model.ts"

/** One JSON object of lists, in pieces, with a line for each row. The slices of one list are adjacent. */
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
