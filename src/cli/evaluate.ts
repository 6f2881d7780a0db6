import { constants, runInThisContext } from "node:vm"

const transpiler = new Bun.Transpiler({ loader: "ts", replMode: true })

/** Runs statements in the global scope, where what they declare stays. `await` is allowed; the last value is awaited. */
export async function evaluate(code: string): Promise<unknown> {
  const last: unknown = await runInThisContext(transpiler.transformSync(code), {
    filename: "shell",
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  })
  return isValue(last) ? await last.value : undefined
}

/** Whether more lines may make sense of it. */
export function isIncomplete(code: string): boolean {
  const problem = problemOf(code)
  if (problem === null) return false
  return /end of file|to terminate multi-line comment/.test(problem) || isOpenTemplate(code, problem)
}

/** Nobody asks to see what was just declared. */
export const isDeclaration = (code: string): boolean =>
  /^\s*(const|let|var|class|function|async function|import)\b/.test(code)

/** Bun says the same of a text that was left open, which no further line can close. */
function isOpenTemplate(code: string, problem: string): boolean {
  if (!problem.startsWith("Unterminated string")) return false
  const closed = problemOf(`${code}\``)
  return closed === null || closed.includes("end of file")
}

function problemOf(code: string): string | null {
  try {
    transpiler.transformSync(code)
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** How Bun hands over the value of the last expression. */
const isValue = (result: unknown): result is { value: unknown } =>
  typeof result === "object" && result !== null && "value" in result
