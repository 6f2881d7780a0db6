import type { Plural } from "../../writing.ts"

export const occasions = {
  title: "Coming up",
  anniversary: { one: "# year here", other: "# years here" } as Plural,
  more: "Show more",
  firstDay: "First day",
  congratulate: "Congratulate",
  congratulatePerson: "Congratulate {name}",
}
