/**
 * The passwords that are guessed first, the most common before the others: those of at least 8 bytes, in lower case, of the
 * list that Django ships (django/contrib/auth/common-passwords.txt.gz, made by Royce Williams; BSD-3-Clause, copyright
 * Django Software Foundation and individual contributors). Loaded when the first one is asked about.
 */
let list: Promise<ReadonlySet<string>> | undefined

/** Whether this is one of them, in whatever case. */
export async function isCommonPassword(password: string): Promise<boolean> {
  list ??= import("./common-passwords.txt").then(({ default: text }) => new Set(text.trimEnd().split("\n")))
  return (await list).has(password.toLowerCase())
}

/** Those that are tried first on an administrator. A hash takes a fraction of a second to verify: they are few. */
export const firstGuesses: readonly string[] = ["password", "12345678", "123456", "admin123", "password1", "qwerty123"]
