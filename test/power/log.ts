import { basename } from "node:path"
import type { Fact } from "./facts.ts"

/** A record of the log. Files have their names in the folder of the database; the folder itself has the name "". */
export type Entry = Act | { readonly kind: "fact"; readonly fact: Fact }

export type Act =
  | { readonly kind: "write"; readonly name: string; readonly at: number; readonly data: Uint8Array }
  | { readonly kind: "truncate"; readonly name: string; readonly size: number }
  | SyncAct
  | { readonly kind: "rename"; readonly name: string; readonly to: string }
  | { readonly kind: "unlink"; readonly name: string }

interface SyncAct {
  readonly kind: "sync begins" | "sync ends"
  readonly name: string
  /** One thread syncs one file at a time. */
  readonly thread: number
  readonly process: number
  readonly isOnMain: boolean
  readonly hasFailed: boolean
}

/** As in recorder.c. */
const headerBytes = 24
const kinds = { write: 1, truncate: 2, syncBegins: 3, syncEnds: 4, rename: 5, unlink: 6, fact: 7 }

/** The record of a fact, for the end of the log. */
export function recordOf(fact: Fact): Buffer {
  const data = Buffer.from(JSON.stringify(fact))
  const header = Buffer.alloc(headerBytes)
  header.writeUInt32LE(headerBytes + data.length, 0)
  header.writeUInt8(kinds.fact, 4)
  return Buffer.concat([header, data])
}

/** The records of the log of the database in `folder`, in their order. */
export function entriesOf(log: Buffer, folder: string): Entry[] {
  const entries: Entry[] = []
  for (let from = 0; from < log.length; from += log.readUInt32LE(from))
    entries.push(entryOf(log.subarray(from, from + log.readUInt32LE(from)), folder))
  return entries
}

function entryOf(record: Buffer, folder: string): Entry {
  const kind = record.readUInt8(4)
  const pathEnd = headerBytes + record.readUInt16LE(6)
  const path = record.toString("utf8", headerBytes, pathEnd)
  const name = path === folder ? "" : basename(path)
  const at = Number(record.readBigInt64LE(16))
  const data = record.subarray(pathEnd)
  switch (kind) {
    case kinds.write:
      return { kind: "write", name, at, data }
    case kinds.truncate:
      return { kind: "truncate", name, size: at }
    case kinds.syncBegins:
    case kinds.syncEnds:
      return {
        kind: kind === kinds.syncBegins ? "sync begins" : "sync ends",
        name,
        process: record.readUInt32LE(8),
        thread: record.readUInt32LE(12),
        isOnMain: record.readUInt8(5) === 1,
        hasFailed: at !== 0,
      }
    case kinds.rename:
      return { kind: "rename", name, to: basename(data.toString()) }
    case kinds.unlink:
      return { kind: "unlink", name }
    case kinds.fact:
      return { kind: "fact", fact: JSON.parse(data.toString()) }
    default:
      throw new Error(`a record of the unknown kind ${kind}`)
  }
}
