import { expect, test } from "bun:test"
import { cpSync, existsSync, readFileSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { engines } from "../../package.json"
import { temporaryFolder } from "../support/executable.ts"

const root = join(import.meta.dir, "../..")
const dockerfile = readFileSync(join(root, "Dockerfile"), "utf8")
const [, build = "", final = ""] = dockerfile.split(/^FROM /m)
const instructions = (stage: string, name: string) =>
  [...stage.matchAll(new RegExp(`^${name} (.*)$`, "gm"))].map(([, rest = ""]) => rest)
/** What the build stage takes from the repository. */
const sources = instructions(build, "COPY").flatMap((copy) => copy.split(" ").slice(0, -1))

test("the files that the Dockerfile copies exist, and .dockerignore admits exactly those", () => {
  expect(sources.filter((path) => !existsSync(join(root, path)))).toEqual([])
  const [everything, ...excepted] = readFileSync(join(root, ".dockerignore"), "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
  expect(everything).toBe("*")
  expect(excepted.map((line) => line.replace("!", "")).sort()).toEqual(sources.toSorted())
})

test("the copied files are all that the build needs", async () => {
  await using folder = await temporaryFolder()
  for (const path of sources) cpSync(join(root, path), join(folder.path, path), { recursive: true })
  symlinkSync(join(root, "node_modules"), join(folder.path, "node_modules"))
  const { exitCode, stderr } = Bun.spawnSync([process.execPath, "run", "build"], { cwd: folder.path })
  // It says only what it runs.
  const said = stderr
    .toString()
    .split("\n")
    .filter((line) => !line.startsWith("$ bun "))
  expect([exitCode, said]).toEqual([0, [""]])
  for (const copy of instructions(final, "COPY --from=build").map((rest) => rest.replace(/^--chown=\S+ /, "")))
    if (copy.startsWith("/src/")) expect(existsSync(join(folder.path, copy.split(" ")[0]?.slice(5) ?? ""))).toBe(true)
}, 120_000)

test("the image is built with the Bun of package.json, and runs only the executable, without root or a shell", () => {
  expect(build).toStartWith(`--platform=$BUILDPLATFORM oven/bun:${engines.bun}-slim AS build\n`)
  expect(final).toStartWith("gcr.io/distroless/base-debian12:nonroot\n")
  expect(instructions(final, "USER")).toEqual([])
  for (const name of ["ENTRYPOINT", "CMD"])
    for (const command of instructions(final, name)) expect(JSON.parse(command)).toBeArray()
  expect(final).toContain('CMD ["/usr/bin/rewards", "healthcheck"]\n')
})
