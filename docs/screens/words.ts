/** A thanks of the last days: who, whom, points, how many minutes ago, and what for. */
export type Said = readonly [from: string, to: string, value: number, minutesAgo: number, note?: Note]

export interface Note {
  readonly reason: string
  readonly tags?: readonly string[]
  readonly private?: boolean
}

const [hour, day] = [60, 1440]

/** What the team said to each other in the last days, the oldest first. */
export const lately: readonly Said[] = [
  [
    "lucia-vega",
    "ana-souza",
    25,
    5 * day + 3 * hour,
    { reason: "You took my Saturday shift without a second thought." },
  ],
  [
    "ana-souza",
    "kenji-mori",
    20,
    3 * day + 5 * hour,
    { reason: "The search finds names with accents now. Every customer called José thanks you.", tags: ["care"] },
  ],
  [
    "henrik-dahl",
    "elena-petrova",
    50,
    3 * day + 2 * hour,
    { reason: "Forty reviews in a week, and each one taught somebody something.", tags: ["teamwork"] },
  ],
  [
    "mariana-prado",
    "joao-araujo",
    15,
    2 * day + 6 * hour,
    { reason: "For driving to Campinas and back so that the demo could happen." },
  ],
  [
    "zoe-quinn",
    "ana-souza",
    30,
    2 * day + 4 * hour,
    { reason: "For staying on the line with the hospital until every printer worked again.", tags: ["care"] },
  ],
  [
    "ines-duarte",
    "soren-ost",
    20,
    2 * day + hour,
    { reason: "The new icons are so clear that the manual lost a page." },
  ],
  [
    "ana-souza",
    "lucia-vega",
    25,
    day + 6 * hour,
    { reason: "My first holiday in two years without a single call. That was you." },
  ],
  [
    "diego-ramos",
    "mariana-prado",
    25,
    day + 5 * hour,
    { reason: "You told the client the truth about the date, and they signed because of it.", tags: ["courage"] },
  ],
  [
    "carla-mendes",
    "ana-souza",
    25,
    day + 2 * hour,
    { reason: "Thank you for what you said to Zoë on Monday. She told me.", private: true },
  ],
  [
    "kenji-mori",
    "henrik-dahl",
    15,
    day + hour,
    { reason: "For explaining the lock to me three times, each time as if it were the first." },
  ],
  ["fatima-al-sayed", "bruno-lima", 20, 6 * hour, { reason: "The refund that I feared took one click. I counted." }],
  [
    "bruno-lima",
    "ana-souza",
    50,
    3 * hour + 20,
    { reason: "Your notes from the customer’s visit saved me a whole day.", tags: ["teamwork"] },
  ],
  [
    "elena-petrova",
    "ines-duarte",
    15,
    95,
    { reason: "For the calmest release we ever had: you had drawn every screen before we asked." },
  ],
  ["joao-araujo", "diego-ramos", 10, 41, { reason: "Coffee, patience, and a spreadsheet that adds up." }],
  [
    "henrik-dahl",
    "bruno-lima",
    25,
    12,
    {
      reason:
        "You stayed late to mend the invoice run with me. The customers never noticed, and that is exactly the point.",
      tags: ["teamwork", "courage"],
    },
  ],
]

/** What fits any two of them, for the months before. */
export const often: readonly string[] = [
  "For taking the early shift when the trains stood still.",
  "You asked the question that the whole room was afraid of.",
  "Thank you for reading the contract to the last page.",
  "The handover was so clear that there was nothing left to ask.",
  "For the lunch, and for listening.",
  "You found the fault before anybody had reported it.",
  "A difficult call, and you stayed kind to the end.",
  "For showing the new colleagues around all week.",
  "Your summary turned two hours of meeting into five lines.",
  "You kept the promise that I had made.",
  "For the workshop: I use what I learnt every day.",
  "Thanks for the honest answer.",
]

/** The last of them, where the team speaks Portuguese. */
export const latelyInPortuguese: readonly Said[] = [
  ["fatima-al-sayed", "bruno-lima", 20, 6 * hour, { reason: "O reembolso que eu temia levou um clique. Eu contei." }],
  [
    "bruno-lima",
    "ana-souza",
    50,
    3 * hour + 20,
    { reason: "Suas anotações da visita ao cliente me pouparam um dia inteiro.", tags: ["equipe"] },
  ],
  [
    "elena-petrova",
    "ines-duarte",
    15,
    95,
    { reason: "Pelo lançamento mais calmo que já tivemos: você desenhou cada tela antes de a gente pedir." },
  ],
  ["joao-araujo", "diego-ramos", 10, 41, { reason: "Café, paciência e uma planilha que fecha." }],
  [
    "henrik-dahl",
    "bruno-lima",
    25,
    12,
    {
      reason:
        "Você ficou até tarde para consertar o faturamento comigo. Os clientes nem perceberam, e é exatamente isso.",
      tags: ["equipe", "coragem"],
    },
  ],
]
