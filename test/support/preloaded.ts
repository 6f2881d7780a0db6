/**
 * Compiles C source with the system's compiler into a library that a program on Linux can preload. `cc` names another compiler.
 * @throws Error that names what this machine lacks
 */
export async function compileLibrary(source: string, library: string, cc = "cc") {
  if (process.platform !== "linux") throw new Error("this test needs Linux, to stand between a program and its disk")
  const compiler = Bun.which(cc)
  if (compiler === null) throw new Error(`this test needs a C compiler, and there is no ${cc}: install gcc or clang`)
  const child = Bun.spawn([compiler, "-Wall", "-Werror", "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"], {
    stdio: ["ignore", "inherit", "pipe"],
  })
  const [status, stderr] = await Promise.all([child.exited, new Response(child.stderr).text()])
  if (status !== 0) throw new Error(`${source} cannot be compiled with ${compiler}:\n${stderr}`)
}
