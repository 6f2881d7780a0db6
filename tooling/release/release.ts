import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { compile, entrypoint } from "../../build.ts"
import { engines, name, version } from "../../package.json" with { type: "json" }
import { type BundledUi, bundleUi } from "../bundle/ui.ts"
import { packClient } from "../client/pack.ts"
import { writeTar, writeZip } from "./archive.ts"
import { type Beside, besideOn, gather } from "./beside.ts"
import { canPackage, writeDebian } from "./debian.ts"
import { billOfMaterials, notices, textOf } from "./sbom.ts"
import type { Target } from "./targets.ts"

interface Options {
  readonly targets: readonly Target[]
  /** The folder to write to. It is emptied first. */
  readonly out: string
  /** The time of every file, so that the same sources give the same bytes. */
  readonly date: Date
  /** The compression level; 0 is none, for a quick check. */
  readonly level: 0 | 6
  readonly tell: (line: string) => void
}

const root = join(import.meta.dir, "../..")

/**
 * Writes the files of a release: an archive for each target, Debian packages, the client for npm, the bill of materials, and the checksums of
 * all of them in SHA256SUMS, whose text is returned.
 */
export async function release({ targets, out, date, level, tell }: Options): Promise<string> {
  if (Bun.version !== engines.bun) throw new Error(`this is Bun ${Bun.version}; a release is made with ${engines.bun}`)
  await rm(out, { recursive: true, force: true })
  await mkdir(out, { recursive: true })
  const bom = await billOfMaterials()
  await Bun.write(join(out, `${name}-${version}.cdx.json`), textOf(bom))
  const beside = await gather(root, notices(bom))
  if (!canPackage()) tell("no dpkg-deb here: Debian packages are left out")
  const ui = await bundleUi()
  for (const target of targets) {
    tell(target.name)
    await releaseFor(target, { beside, ui }, { out, date, level })
  }
  await packTheClient({ out, date, level })
  const sums = await sumsOf(out)
  await Bun.write(join(out, "SHA256SUMS"), sums)
  return sums
}

type Output = Pick<Options, "out" | "date" | "level">

interface Parts {
  readonly beside: Beside
  readonly ui: BundledUi
}

async function releaseFor(target: Target, { beside: everything, ui }: Parts, { out, date, level }: Output) {
  const work = await mkdtemp(join(tmpdir(), "rewards-release-"))
  try {
    const program = target.os === "windows" ? `${name}.exe` : name
    await compile(entrypoint, join(work, program), { target: target.bun, ui })
    const executable = await readFile(join(work, program))
    const beside = besideOn(target.os, everything)

    const folder = `${name}-${version}-${target.name}`
    const files = [{ path: program, bytes: executable, executable: true }, ...beside]
    const archive = { folder, files, date, level }
    if (target.os === "windows") await writeZip(join(out, `${folder}.zip`), archive)
    else await writeTar(join(out, `${folder}.tar.gz`), work, archive)

    const { debian: architecture } = target
    if (architecture === undefined || !canPackage()) return
    const file = join(out, `${name}_${version}_${architecture}.deb`)
    await writeDebian(file, { root, version, architecture, executable, beside, date, level })
  } finally {
    await rm(work, { recursive: true })
  }
}

async function packTheClient(output: Output) {
  const work = await mkdtemp(join(tmpdir(), "rewards-client-"))
  try {
    await packClient({ ...output, work })
  } finally {
    await rm(work, { recursive: true })
  }
}

/** In the form that `sha256sum --check` reads. */
async function sumsOf(folder: string): Promise<string> {
  const names = [...new Bun.Glob("*").scanSync(folder)].sort()
  const lines = names.map(async (file) => {
    const bytes = await readFile(join(folder, file))
    return `${new Bun.CryptoHasher("sha256").update(bytes).digest("hex")}  ${file}\n`
  })
  return (await Promise.all(lines)).join("")
}
