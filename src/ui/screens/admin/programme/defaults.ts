import type { Programme } from "../../../session.ts"

/** The programme of a new server, apart from its tags: a copy of that in src/domain/programme/model.ts. */
export const defaultProgramme: Programme = {
  points_name: { one: "point", many: "points" },
  amounts: [10, 25, 50, 100],
  reason: "optional",
  reason_min: 0,
  tag: "optional",
  tags: [],
  most_to_one: { points: null, period: "month" },
  amounts_shown: "everyone",
  leaderboard: "everyone",
  give_from: "balance",
  occasions: {
    birthday: { points: 50, text: "Happy birthday, {name}!", active: false },
    anniversary: { points: 50, text: "Happy anniversary, {name}! Years with us: {years}.", active: false },
    first_day: { points: 50, text: "Welcome, {name}! Today is your first day with us.", active: false },
  },
  point_value: null,
}
