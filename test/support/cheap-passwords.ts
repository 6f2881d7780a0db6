import { databaseIn, query } from "./database.ts"

export const everybodysPassword = "a password of everybody"
const hash = await Bun.password.hash(everybodysPassword, { algorithm: "bcrypt", cost: 10 })

/**
 * Sets the password of every user in the folder's database to `everybodysPassword`, with the lowest cost that the
 * executable accepts: a cheaper hash would be replaced at log-in. A server may have the database open.
 */
export async function cheapPasswords(folder: string): Promise<void> {
  await query(await databaseIn(folder), "UPDATE users SET password = $1", [hash])
}
