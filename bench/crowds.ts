import { join } from "node:path"
import { isSuperuser } from "../src/domain/auth/roles.ts"
import type { User } from "../src/domain/model.ts"
import { openHouse, writePeople } from "./company.ts"

const membersInCrowd = 1000

/** Who asks for pages under load, and among how many first pages: each request draws person and page anew. */
export const crowds = [
  { name: "superuser", pages: 1000 },
  { name: "members", pages: 2 },
] as const

/** Files for load.lua with the people of a generated database, in `folder`. */
export async function peopleFiles(database: string, folder: string) {
  await using house = await openHouse(database)
  const members = (await house.app.store.users.list()).filter((user) => !isSuperuser(user)).slice(0, membersInCrowd)
  const files = { superuser: join(folder, "superuser.txt"), members: join(folder, "members.txt") }
  const token = async (user: User) => `${await house.tokenOf(user)}\t`
  await writePeople(files.superuser, [await house.user("admin")], token)
  await writePeople(files.members, members, token)
  return files
}
