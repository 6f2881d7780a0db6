import { readFile } from "node:fs/promises"

/** The reset tokens in the debug file for this address, oldest first. */
export async function resetTokensIn(path: string, email: string): Promise<string[]> {
  const text = await readFile(path, "utf8").catch(() => "")
  const mails = text.matchAll(/^--- START EMAIL (.*) ---\n((?:.*\n)*?)--- END OF EMAIL ---$/gm)
  return [...mails].flatMap(([, to, mail = ""]) =>
    to === email ? (/pwd_reset_token=(\S+)/.exec(mail)?.[1] ?? []) : [],
  )
}

/** Call it before requesting a reset mail; `arrives` then resolves with the token of that mail. */
export async function nextResetToken(path: string, email: string): Promise<{ arrives(): Promise<string> }> {
  const { length: known } = await resetTokensIn(path, email)
  return {
    async arrives() {
      for (const late = Date.now() + patienceMs; Date.now() < late; await Bun.sleep(2)) {
        const token = (await resetTokensIn(path, email))[known]
        if (token !== undefined) return token
      }
      throw new Error(`no mail for ${email} within ${patienceMs} ms`)
    },
  }
}

const patienceMs = 60_000
