import { readFile } from "node:fs/promises"

/** The reset tokens that the debug file holds for this address, oldest first. */
export async function resetTokensIn(path: string, email: string): Promise<string[]> {
  const text = await readFile(path, "utf8").catch(() => "")
  const mails = text.matchAll(/^--- START EMAIL (.*) ---\n((?:.*\n)*?)--- END OF EMAIL ---$/gm)
  return [...mails].flatMap(([, to, mail = ""]) =>
    to === email ? (/pwd_reset_token=(\S+)/.exec(mail)?.[1] ?? []) : [],
  )
}
