import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { entrypoint } from "../../build.ts"
import { type Packed, packed } from "./archive.ts"
import type { Target } from "./targets.ts"

/** The files that ship beside the executable, by the systems that use them. */
export interface Beside {
  readonly everywhere: readonly Packed[]
  /** Completion for shells, and the manual page. */
  readonly unix: readonly Packed[]
  /** The systemd unit. */
  readonly linux: readonly Packed[]
}

export const besideOn = (os: Target["os"], { everywhere, unix, linux }: Beside): readonly Packed[] => [
  ...everywhere,
  ...(os === "windows" ? [] : unix),
  ...(os === "linux" ? linux : []),
]

/** `notices` are the licences of the packages inside. */
export async function gather(root: string, notices: string): Promise<Beside> {
  const papers = [
    ...["README.md", "LICENSE", "CHANGELOG.md", "SECURITY.md"],
    ...["docs/settings.md", "docs/interface/*", "docs/promises.md", "docs/chain.md", "docs/operations/*"],
    "docs/operations/cluster/*",
  ]
  const printed = { "rewards.1": ["manual"], ...completions }
  const [folders, unix, unit] = await Promise.all([
    Promise.all(papers.map((pattern) => packed(root, pattern))),
    Promise.all(Object.entries(printed).map(async ([path, args]) => ({ path, bytes: await print(root, args) }))),
    readFile(join(root, "tooling/packaging/rewards.service")),
  ])
  return {
    everywhere: [...folders.flat(), { path: "THIRD-PARTY.txt", bytes: Buffer.from(notices) }],
    unix,
    linux: [{ path: "rewards.service", bytes: unit }],
  }
}

const completions = {
  "completions/rewards.bash": ["completion", "bash"],
  "completions/_rewards": ["completion", "zsh"],
  "completions/rewards.fish": ["completion", "fish"],
}

/** The output of a command, run from the sources. */
async function print(root: string, args: readonly string[]): Promise<Uint8Array> {
  const child = Bun.spawn([process.execPath, entrypoint, ...args], { cwd: root, stdout: "pipe" })
  const bytes = await new Response(child.stdout).bytes()
  if ((await child.exited) !== 0 || bytes.length === 0) throw new Error(`rewards ${args.join(" ")} printed nothing`)
  return bytes
}
