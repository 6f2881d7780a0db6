import type { AllowanceRequest } from "../../domain/allowances/allowance-fields.ts"
import type { ProgrammeRequest } from "../../domain/programme/programme-fields.ts"
import type { RewardRequest } from "../../domain/rewards/catalogue.ts"

const tags = [
  { name: "teamwork", emoji: "🤝", description: "Makes others better" },
  { name: "courage", emoji: "🦁", description: "Says it, tries it, owns it" },
  { name: "care", emoji: "💚", description: "Looks after people" },
  { name: "craft", emoji: "🛠️", description: "Does it properly" },
  { name: "customers", emoji: "🧭", description: "Thinks from their side" },
]

export const tagNames = tags.map(({ name }) => name)

/** What the company decided about its programme. */
export const programme: ProgrammeRequest = {
  amounts: [5, 10, 25, 50],
  tags,
  occasions: {
    birthday: { points: 20, text: "Happy birthday, {name}! There is cake in the kitchen.", active: true },
    anniversary: { points: 50, text: "Thank you for staying with us, {name}. Years so far: {years}.", active: true },
    first_day: { points: 0, text: "Welcome, {name}! Say hello on this first day.", active: true },
  },
  point_value: { amount: 0.2, currency: "EUR" },
}

export const allowances: readonly AllowanceRequest[] = [
  {
    name: "Monthly allowance",
    value: 200,
    mode: "reset",
    period: "month",
    audience: { everyone: true },
    reason: "Yours to give away this month.",
  },
  {
    name: "Support on call",
    value: 40,
    mode: "add",
    period: "quarter",
    audience: { dept: "support" },
    reason: "For those who step in at night.",
  },
]

export const rewards: readonly RewardRequest[] = [
  {
    name: "A book of your choice",
    description: "Any book up to 25 euros.",
    cost: 125,
    moneyValue: 25,
    isTaxable: true,
    emoji: "📚",
  },
  {
    name: "Lunch for two",
    description: "In the restaurant around the corner.",
    cost: 300,
    moneyValue: 60,
    isTaxable: true,
    emoji: "🍽️",
  },
  {
    name: "Cinema tickets",
    description: "Two of them, for any film.",
    cost: 150,
    stock: 100,
    moneyValue: 30,
    isTaxable: true,
    emoji: "🎬",
  },
  {
    name: "Donation to the food bank",
    description: "We double what you give.",
    cost: 50,
    moneyValue: 10,
    emoji: "💝",
  },
  {
    name: "An extra day off",
    description: "Agree on the day with your team first.",
    cost: 600,
    stock: 5,
    limitPerPerson: 1,
    emoji: "🏖️",
  },
]
