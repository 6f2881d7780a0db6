import { expect, test } from "bun:test"
import { commands } from "../../src/cli/commands.ts"
import { temporaryFolder } from "../support/executable.ts"
import { misused, operator } from "./operator.ts"

const scriptFor = async (shell: string): Promise<string> => {
  await using operates = await operator()
  const { status, stdout, stderr } = await operates.types(["completion", shell])
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" })
  return stdout
}

/** What bash offers behind this line, sourced from the script; each word as bash takes it apart. */
async function offered(line: readonly string[]): Promise<string[]> {
  await using folder = await temporaryFolder()
  await Bun.write(`${folder.path}/rewards.bash`, await scriptFor("bash"))
  const ask = `
    source ./rewards.bash
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
    _rewards
    for word in "\${COMPREPLY[@]}"; do echo "$word"; done
  `
  const bash = Bun.spawn(["bash", "--norc", "-c", ask, "bash", ...line], {
    cwd: folder.path,
    stderr: "pipe",
  })
  expect(await new Response(bash.stderr).text()).toBe("")
  return (await new Response(bash.stdout).text()).split("\n").filter((word) => word !== "")
}

const firstWords = [...new Set(commands.map(({ name }) => name.split(" ")[0] ?? ""))]

for (const [line, ...words] of [
  [["rewards", ""], ...firstWords, "--help", "--version"],
  [["rewards", "user", "set-"], "set-password", "set-dept", "set-days", "set-manager"],
  [["rewards", "session", ""], "list", "revoke", "--help"],
  [["rewards", "session", "l"], "list"],
  [["rewards", "session", "list", ""], "--json", "--config", "--db", "--help"],
  [["rewards", "session", "revoke", "--a"], "--all"],
  [["rewards", "serve", "--"], "--host", "--port", "--init", "--config", "--db", "--help"],
  [["rewards", "serve", "--port", ""]],
  [["rewards", "serve", "--config", ""]],
  [["rewards", "serve", "--config", "="]],
  [["rewards", "serve", "--config", "=", "re"]],
  [["rewards", "serve", "--config", "a.toml", "--h"], "--host", "--help"],
  [["rewards", "completion", ""], "bash", "zsh", "fish", "--help"],
  [["rewards", "completion", "z"], "zsh"],
  [["rewards", "unheard-of", ""]],
  [["rewards", "$(touch here)", "--"]],
] as const)
  test(`bash completes ${JSON.stringify(line)} with: ${words.join(" ") || "nothing of its own"}`, async () => {
    expect(await offered(line)).toEqual([...words])
  })

for (const shell of ["bash", "zsh", "fish"])
  test(`the script for ${shell} has every command and every option`, async () => {
    const script = await scriptFor(shell)

    for (const { name, args } of commands) {
      for (const word of name.split(" ")) expect(script).toContain(word)
      for (const [option, { type }] of Object.entries(args))
        if (type !== "positional") expect(script).toContain(shell === "fish" ? `-l ${option} ` : `--${option}`)
    }
  })

test("descriptions with special characters are plain text to zsh and fish", async () => {
  const { described } = await import("../../src/cli/help.ts")
  const { zshCompletion } = await import("../../src/cli/completion.ts")
  const { fishCompletion } = await import("../../src/cli/completion.ts")
  const [version] = commands.slice(-1)
  if (!version) throw new Error("there are commands")
  const odd = [described({ ...version, description: "It's [a: 'test'] \\ $(id)" })]

  expect(zshCompletion(odd)).toContain(String.raw`'version:It'\''s \[a\: '\''test'\''\] \\ $(id)'`)
  expect(fishCompletion(odd)).toContain(String.raw`-d 'It\'s [a: \'test\'] \\ $(id)'`)
})

test("an unknown shell, or a missing one, is wrong usage", async () => {
  await using operates = await operator()
  const hint = "See: rewards completion --help"

  expect(await operates.types(["completion", "tcsh"])).toEqual(misused("SHELL: one of bash, zsh, fish", hint))
  expect(await operates.types(["completion"])).toEqual(misused("missing SHELL", hint))
})
