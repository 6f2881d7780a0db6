import type { PersonSummary, User } from "../../domain/people/model.ts"

/** A person where only the name matters, such as the sender of a transaction. */
export const partyView = ({ username, name }: Pick<User, "username" | "name">) => ({ username, name })

/** A person with a picture, such as one who was found. */
export const faceView = ({ username, name, dept, avatar }: Omit<PersonSummary, "id">) => ({
  username,
  name,
  dept,
  avatar,
})
