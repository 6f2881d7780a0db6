/**
 * The most common passwords, most common first: those of at least 8 bytes, in lower case, of the list that Django ships
 * (django/contrib/auth/common-passwords.txt.gz, made by Royce Williams; BSD-3-Clause, copyright Django Software Foundation
 * and individual contributors). Loaded on first use.
 */
let list: Promise<ReadonlySet<string>> | undefined

/** Compares without regard to case. */
export async function isCommonPassword(password: string): Promise<boolean> {
  list ??= import("./common-passwords.txt").then(({ default: text }) => new Set(text.trimEnd().split("\n")))
  return (await list).has(password.toLowerCase())
}

/**
 * The first guesses of an attacker for an administrator. Only a few, because verifying each takes a fraction of a second.
 */
export const firstGuesses: readonly string[] = ["password", "12345678", "123456", "admin123", "password1", "qwerty123"]
