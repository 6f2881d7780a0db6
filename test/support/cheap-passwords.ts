import { Database } from "bun:sqlite"

export const everybodysPassword = "a password of everybody"
const hash = await Bun.password.hash(everybodysPassword, { algorithm: "bcrypt", cost: 10 })

/** Gives everybody in this database `everybodysPassword`, in one hash of the least cost that the executable takes: a
 *  cheaper one would be verified no faster, and replaced. A server may have the file open. */
export function cheapPasswords(database: string) {
  const client = new Database(database)
  try {
    client.run("PRAGMA busy_timeout = 5000")
    client.run("UPDATE users SET password = ?", [hash])
  } finally {
    client.close()
  }
}
