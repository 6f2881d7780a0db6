import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import { compile } from "../build.ts"

/** Compiles a program of this folder the way the server is compiled. Returns the executable. */
export async function compiled(name: "yardstick" | "bare", cache: string): Promise<string> {
  await mkdir(cache, { recursive: true })
  const executable = join(cache, name)
  await compile(join(import.meta.dir, `${name}.ts`), executable)
  return executable
}
