import type { Occasion, Programme } from "../../domain/programme/model.ts"

/** The programme as the interface and the command line show it. */
export const programmeView = ({ points_name, tags, most_to_one, occasions, ...programme }: Programme) => ({
  points_name: { one: points_name.one, many: points_name.many },
  amounts: programme.amounts,
  reason: programme.reason,
  reason_min: programme.reason_min,
  tag: programme.tag,
  tags: tags.map(({ name, emoji, description }) => ({ name, emoji, description })),
  most_to_one: { points: most_to_one.points, period: most_to_one.period },
  amounts_shown: programme.amounts_shown,
  leaderboard: programme.leaderboard,
  give_from: programme.give_from,
  occasions: {
    birthday: occasionView(occasions.birthday),
    anniversary: occasionView(occasions.anniversary),
    first_day: occasionView(occasions.first_day),
  },
  point_value: programme.point_value && {
    amount: programme.point_value.amount,
    currency: programme.point_value.currency,
  },
})

const occasionView = ({ points, text, active }: Occasion) => ({ points, text, active })
