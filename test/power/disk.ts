import type { Act } from "./log.ts"
import { numberBelow, oneOf, type Random } from "./random.ts"

/** What a power cut leaves. */
export interface Image {
  /** The files, by name. */
  readonly files: ReadonlyMap<string, Uint8Array>
  /** What it has of the changes that were not synced. */
  readonly kept: Kept
}

export type Kept = (typeof keepings)[number]

const keepings = ["nothing", "everything", "the first changes", "some pages", "some sectors"] as const
const pageBytes = 4096
const sectorBytes = 512
/** How many pages or sectors are kept. */
const shares = [0.1, 0.5, 0.9]

interface File {
  /** What is on the disk for certain. */
  readonly synced: Content
  /** What has been done to it since then, in this order. */
  changes: Change[]
}

interface Content {
  /** More than `size`, because files grow. */
  bytes: Uint8Array
  size: number
}

type Change = Write | Truncation

interface Changed {
  /** Where it is in the log. */
  readonly place: number
  /** Dropped: a sync of it has failed. It may be on the disk or not, and no later sync writes it. */
  state: "unsynced" | "dropped" | "certain"
}

interface Write extends Changed {
  readonly kind: "write"
  readonly at: number
  readonly data: Uint8Array
}

interface Truncation extends Changed {
  readonly kind: "truncate"
  readonly size: number
}

/** Of the folder. File systems write these in their order. */
type Naming =
  | { readonly kind: "create"; readonly place: number; readonly name: string; readonly file: File }
  | { readonly kind: "rename"; readonly place: number; readonly name: string; readonly to: string }
  | { readonly kind: "unlink"; readonly place: number; readonly name: string }

interface Sync {
  readonly began: number
  /** Null: the folder. */
  readonly file: File | null
}

/**
 * A disk that keeps only what it must. A change of a file is certain once a sync of the file has ended that began after it; a
 * name that was created, renamed or removed, once such a sync of the folder has ended. When a sync fails, the system drops
 * what it could not write, as Linux does: a later sync succeeds without it, although programs see it until the power is cut.
 */
export function createDisk() {
  let place = 0
  /** The names as programs see them, and those on the disk for certain. */
  const names = new Map<string, File>()
  const syncedNames = new Map<string, File>()
  let unsyncedNames: Naming[] = []
  const syncs = new Map<number, Sync>()

  return {
    apply(act: Act) {
      place += 1
      switch (act.kind) {
        case "write":
          fileNamed(act.name).changes.push({ kind: "write", place, state: "unsynced", at: act.at, data: act.data })
          break
        case "truncate":
          fileNamed(act.name).changes.push({ kind: "truncate", place, state: "unsynced", size: act.size })
          break
        case "rename":
        case "unlink":
          changeNames({ ...act, place })
          break
        case "sync begins":
          syncs.set(act.thread, { began: place, file: act.name === "" ? null : fileNamed(act.name) })
          break
        case "sync ends":
          end(syncs.get(act.thread), act.hasFailed)
          syncs.delete(act.thread)
      }
    },

    /** What a power cut now could leave. */
    image(random: Random): Image {
      const kept = oneOf(random, keepings)
      const changes = [...names.values(), ...syncedNames.values()].flatMap((file) => file.changes)
      const until =
        kept === "the first changes" ? oneOf(random, [place, ...changes.map((change) => change.place)]) : place
      const choice = { random, kept, until, share: oneOf(random, shares) }
      const found = new Map(syncedNames)
      for (const naming of keptNames(unsyncedNames, choice)) rename(found, naming)
      return { files: new Map([...found].map(([name, file]) => [name, contentAfterCut(file, choice)])), kept }
    },

    /** The files as programs see them. */
    files: (): ReadonlyMap<string, Uint8Array> =>
      new Map([...names].map(([name, file]) => [name, contentAfterCut(file, everything)])),
  }

  function fileNamed(name: string): File {
    const known = names.get(name)
    if (known !== undefined) return known
    const file: File = { synced: { bytes: new Uint8Array(), size: 0 }, changes: [] }
    changeNames({ kind: "create", place, name, file })
    return file
  }

  function changeNames(naming: Naming) {
    rename(names, naming)
    unsyncedNames.push(naming)
  }

  function end(sync: Sync | undefined, hasFailed: boolean) {
    if (sync === undefined) throw new Error("a sync ended that never began")
    const { began, file } = sync
    const isCertain = (change: Change | Naming) => change.place < began
    if (file === null) {
      if (hasFailed) return
      for (const naming of unsyncedNames.filter(isCertain)) rename(syncedNames, naming)
      unsyncedNames = unsyncedNames.filter((naming) => !isCertain(naming))
      return
    }
    const ended = file.changes.filter((change) => isCertain(change) && change.state === "unsynced")
    for (const change of ended) change.state = hasFailed ? "dropped" : "certain"
    const first = file.changes.findIndex(({ state }) => state !== "certain")
    for (const change of file.changes.splice(0, first < 0 ? file.changes.length : first)) applyTo(file.synced, change)
  }
}

function rename(names: Map<string, File>, naming: Naming) {
  if (naming.kind === "create") return void names.set(naming.name, naming.file)
  const file = names.get(naming.name)
  names.delete(naming.name)
  if (naming.kind === "rename" && file !== undefined) names.set(naming.to, file)
}

interface Choice {
  readonly random: Random
  readonly kept: Kept
  /** For "the first changes": none after this place. */
  readonly until: number
  readonly share: number
}

const everything: Choice = { random: () => 0, kept: "everything", until: 0, share: 1 }

function keptNames(namings: readonly Naming[], { random, kept, until }: Choice): readonly Naming[] {
  switch (kept) {
    case "nothing":
      return []
    case "everything":
      return namings
    case "the first changes":
      return namings.filter(({ place }) => place <= until)
    case "some pages":
    case "some sectors":
      return namings.slice(0, numberBelow(random, namings.length + 1))
  }
}

function contentAfterCut({ synced, changes }: File, choice: Choice): Uint8Array {
  const content = { bytes: synced.bytes.slice(0, synced.size), size: synced.size }
  for (const change of changes) for (const kept of keptOf(change, choice)) applyTo(content, kept)
  return content.bytes.subarray(0, content.size)
}

function keptOf(change: Change, { random, kept, until, share }: Choice): Change[] {
  if (change.state === "certain") return [change]
  switch (kept) {
    case "nothing":
      return []
    case "everything":
      return [change]
    case "the first changes":
      return change.place <= until ? [change] : []
    case "some pages":
    case "some sectors":
      return piecesOf(change, kept === "some pages" ? pageBytes : sectorBytes).filter(() => random() < share)
  }
}

/** Cut where the file's pages or sectors end. */
function piecesOf(change: Change, bytes: number): Change[] {
  if (change.kind === "truncate") return [change]
  const { at, data } = change
  const pieces: Write[] = []
  for (let from = 0; from < data.length; ) {
    const to = Math.min(data.length, from + bytes - ((at + from) % bytes))
    pieces.push({ ...change, at: at + from, data: data.subarray(from, to) })
    from = to
  }
  return pieces
}

function applyTo(content: Content, change: Change) {
  if (change.kind === "truncate") {
    content.bytes.fill(0, change.size, content.size)
    grow(content, change.size)
    content.size = change.size
    return
  }
  grow(content, change.at + change.data.length)
  content.bytes.set(change.data, change.at)
}

function grow(content: Content, size: number) {
  if (size > content.bytes.length) {
    const bytes = new Uint8Array(Math.max(size, 2 * content.bytes.length))
    bytes.set(content.bytes.subarray(0, content.size))
    content.bytes = bytes
  }
  content.size = Math.max(content.size, size)
}
