import { chmod, mkdir, mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { lay, type Packed } from "./archive.ts"

interface Options {
  /** Of the repository. */
  readonly root: string
  readonly version: string
  readonly architecture: "amd64" | "arm64"
  readonly executable: Uint8Array
  /** The files beside the executable, as in an archive. */
  readonly beside: readonly Packed[]
  readonly date: Date
  /** 0 stores the files as they are. */
  readonly level: 0 | 6
}

const scripts = ["postinst", "prerm", "postrm"]

/** Whether this machine can make Debian packages. */
export const canPackage = (): boolean => Bun.which("dpkg-deb") !== null

/** Writes a Debian package, with Debian's own tool. The same files make the same bytes. */
export async function writeDebian(file: string, options: Options) {
  const { root, date, level, executable, beside } = options
  const source = (name: string) => readFile(join(root, "tooling/packaging/debian", name), "utf8")
  const files: Packed[] = [
    { path: "usr/bin/rewards", bytes: executable, executable: true },
    ...beside.map(placed),
    { path: "usr/share/doc/rewards/copyright", bytes: text(copyright(await source("copyright"), beside)) },
  ]
  const control = filled(await source("control"), {
    version: options.version,
    architecture: options.architecture,
    installed_kib: String(Math.ceil(files.reduce((sum, { bytes }) => sum + bytes.length, 0) / 1024)),
  })
  const work = await mkdtemp(join(tmpdir(), "rewards-deb-"))
  try {
    await chmod(work, 0o755)
    await mkdir(join(work, "DEBIAN"), { mode: 0o755 })
    await lay(work, files, date)
    const maintainer = await Promise.all(
      scripts.map(async (name) => ({ path: `DEBIAN/${name}`, bytes: text(await source(name)), executable: true })),
    )
    const about = [
      { path: "DEBIAN/control", bytes: text(control) },
      { path: "DEBIAN/md5sums", bytes: text(sumsOf(files)) },
    ]
    await lay(work, [...about, ...maintainer], date)
    await build(work, file, date, level)
  } finally {
    await rm(work, { recursive: true })
  }
}

async function build(work: string, file: string, date: Date, level: 0 | 6) {
  const env = { ...process.env, SOURCE_DATE_EPOCH: String(date.getTime() / 1000) }
  // The fastest xz compresses better than the best gzip. One thread, because the number of threads changes the bytes.
  const compressed = level === 0 ? ["-Znone"] : ["-Zxz", "-z1", "--threads-max=1"]
  const command = ["dpkg-deb", "--root-owner-group", ...compressed, "--build", work, file]
  const child = Bun.spawn(command, { env, stdout: "ignore", stderr: "pipe" })
  if ((await child.exited) !== 0) throw new Error(`dpkg-deb: ${await new Response(child.stderr).text()}`)
}

const places: Readonly<Record<string, string>> = {
  "rewards.service": "usr/lib/systemd/system/rewards.service",
  "rewards.1": "usr/share/man/man1/rewards.1.gz",
  "completions/rewards.bash": "usr/share/bash-completion/completions/rewards",
  "completions/_rewards": "usr/share/zsh/vendor-completions/_rewards",
  "completions/rewards.fish": "usr/share/fish/vendor_completions.d/rewards.fish",
}

/** Where Debian expects a file of the archive; all others are documentation. */
function placed({ path, bytes }: Packed): Packed {
  const place = places[path] ?? `usr/share/doc/rewards/${path}`
  return { path: place, bytes: place.endsWith(".gz") ? Bun.gzipSync(Buffer.from(bytes)) : bytes }
}

/** Debian's form of a long text: indented lines, and a dot for an empty one. */
function copyright(template: string, beside: readonly Packed[]): string {
  const licence = Buffer.from(beside.find(({ path }) => path === "LICENSE")?.bytes ?? []).toString()
  const [, holder = ""] = /^Copyright \(c\) (.+)$/m.exec(licence) ?? []
  const lines = licence.trimEnd().split("\n")
  return filled(template, { holder, licence: lines.map((line) => ` ${line || "."}`).join("\n") })
}

const filled = (template: string, values: Readonly<Record<string, string>>): string =>
  template.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? "")

const sumsOf = (files: readonly Packed[]): string =>
  files.map(({ path, bytes }) => `${new Bun.CryptoHasher("md5").update(bytes).digest("hex")}  ${path}\n`).join("")

const text = (content: string): Uint8Array => Buffer.from(content)
