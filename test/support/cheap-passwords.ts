import { Database } from "bun:sqlite"

export const everybodysPassword = "a password of everybody"
const hash = await Bun.password.hash(everybodysPassword, { algorithm: "bcrypt", cost: 10 })

/** Sets the password of every user in this database to `everybodysPassword`, with the lowest cost that the executable
 *  accepts: a cheaper hash would be replaced at log-in. A server may have the file open. */
export function cheapPasswords(database: string) {
  const client = new Database(database)
  try {
    client.run("PRAGMA busy_timeout = 5000")
    client.run("UPDATE users SET password = ?", [hash])
  } finally {
    client.close()
  }
}
