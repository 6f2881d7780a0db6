import type { Plural } from "../../writing.ts"

export const person = {
  received: "Received",
  given: "Given",
  times: { one: "# time", other: "# times" } as Plural,
  thankedFor: "Most thanked for",
  thankedBy: { one: "# person said thanks within a year", other: "# people said thanks within a year" } as Plural,
  words: "Nicest words",
  about: "About",
  department: "Department",
  manager: "Manager",
  joined: "Joined",
  birthday: "Birthday",
  edit: "Edit my profile",
  account: "Account",
  history: "History",
  nobodyTitle: "Person not found",
  nobody: "No one has the username",
  toPeople: "Find people",
  inactive: "No longer active",
}
