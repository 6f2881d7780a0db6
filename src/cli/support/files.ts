import { createReadStream } from "node:fs"
import { resolve } from "node:path"
import { problemOf, systemCodeOf } from "../../support/system-errors.ts"
import type { CommandContext } from "./command.ts"
import { Refusal } from "./failures.ts"
import { visible } from "./terminal.ts"

/** The contents of a file that the command line names; `-` is standard input. @throws Refusal */
export async function fileBytes(
  file: string,
  { cwd, stdin }: CommandContext,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  if (file === "-") return readAll(stdin, maxBytes)
  try {
    return await readAll(createReadStream(resolve(cwd, file)), maxBytes)
  } catch (error) {
    if (systemCodeOf(error) === "") throw error
    throw new Refusal(`cannot read ${visible(file)}: ${problemOf(error)}`)
  }
}

async function readAll(source: AsyncIterable<Uint8Array | string>, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of source) {
    const bytes = Buffer.from(chunk)
    length += bytes.length
    if (length > maxBytes) throw new Refusal(`the file is larger than ${maxBytes / 1e6} MB`)
    chunks.push(bytes)
  }
  return Buffer.concat(chunks)
}
