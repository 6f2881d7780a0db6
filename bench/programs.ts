import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import { bundling, compile } from "../build.ts"

/** Compiles a program of this folder the way the server is compiled. Returns the executable. */
export async function compiled(name: "yardstick" | "bare", cache: string): Promise<string> {
  await mkdir(cache, { recursive: true })
  const executable = join(cache, name)
  await compile(join(import.meta.dir, `${name}.ts`), executable)
  return executable
}

/** Size of the files that the server carries beside its program: what a browser is given. */
export async function embeddedBytes(): Promise<number> {
  const entrypoint = join(import.meta.dir, "../src/main.ts")
  const { outputs } = await Bun.build({ ...bundling, sourcemap: "none", target: "bun", entrypoints: [entrypoint] })
  return outputs.filter(({ kind }) => kind !== "entry-point").reduce((sum, { size }) => sum + size, 0)
}
