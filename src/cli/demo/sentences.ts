import { tagNames } from "./company-rules.ts"
import type { Dice } from "./dice.ts"

/** What somebody is thanked for. */
export function recognitionNote(dice: Dice): { reason: string; tags: string[]; private: boolean } | undefined {
  if (dice.chance(0.06)) return undefined
  return {
    reason: dice.chance(0.3) ? dice.pick(sentences) : `${dice.pick(openings)} ${dice.pick(deeds)}${dice.pick(endings)}`,
    tags: dice.chance(0.55) ? [dice.pick(tagNames)] : [],
    private: dice.chance(0.04),
  }
}

const openings = ["Thank you for", "Thanks for", "For", "A big thank-you for", "I will remember"]

const deeds = [
  "taking over the early shift",
  "the patient explanation of the billing rules",
  "finding the fault in the export",
  "the review of my proposal",
  "showing the new colleagues around",
  "the calm call with an angry customer",
  "the summary of the workshop",
  "preparing the demo",
  "the photos of the team day",
  "rewriting the onboarding guide",
  "the honest answer in the planning meeting",
  "keeping the coffee machine alive",
  "the translation of the contract",
  "the night at the data centre",
  "the clean handover before your holiday",
  "the idea with the shared inbox",
  "sorting out the travel costs",
  "the new dashboard",
  "the quick fix of the printer",
  "chasing that last signature",
  "testing the release on your old phone",
  "the drawing that ended a long discussion",
  "listening when it mattered",
  "standing in for me at the trade fair",
]

const endings = [
  ".",
  ".",
  ".",
  ".",
  ", although it was not your job.",
  ". It saved my day.",
  ". I owe you one.",
  ". The whole team noticed.",
  " last week.",
]

const sentences = [
  "You asked the question that the whole room was afraid of.",
  "The handover was so clear that there was nothing left to ask.",
  "You found the fault before anybody had reported it.",
  "Your summary turned two hours of meeting into five lines.",
  "A difficult call, and you stayed kind to the end.",
  "You kept the promise that I had made.",
  "First week, first fix in production. Welcome!",
  "The numbers add up again, and I know who made them.",
  "Lunch was great, the advice was better.",
  "You told the client the truth about the date, and they signed because of it.",
  "Three months without a missed call in support.",
  "The workshop was worth every minute.",
  "Obrigada por segurar as pontas enquanto eu estava fora.",
  "Valeu pela paciência com a planilha!",
  "🎉 Signed, at last. Your follow-up made the difference.",
  "You read the contract to the last page, so that I did not have to.",
]

/** What others say to it. */
export const replies = [
  "So well deserved!",
  "Seconded.",
  "I was there, it was impressive.",
  "You beat me to it 🙂",
  "That helped our team too.",
  "Parabéns!",
  "Happy to help, any time.",
  "It was a joint effort, really.",
  "I want to add something.\nWithout you we would have missed the date, and nobody would have known why.",
  "Three things I learnt from it:\n1. Ask early.\n2. Write it down.\n3. Bring cake.",
]

/** What others say to a birthday, an anniversary or a first day. */
export const congratulations = [
  "All the best from the whole team!",
  "Congratulations! 🎂",
  "So glad that you are here.",
  "Parabéns! 🥳",
  "Cheers to you!",
  "Coffee is on me today.",
  "Have a wonderful day.\nYou have earned it.",
]

/** What people say who redeem points. */
export const comments = [
  "For my mother's birthday.",
  "Whenever it suits you.",
  "Finally saved enough!",
  "Thank you all.",
]

/** Why points are taken back. */
export const mistakes = [
  "Sent to the wrong person",
  "One zero too many",
  "Sent twice by mistake",
  "Agreed with both: it was meant for the team",
]

/** Why a department gets a grant. */
export const grantReasons = [
  "The release went out on time. Pass it on!",
  "For the busiest quarter so far. Share it with those who carried it.",
  "Extra points for the team week.",
  "You covered for two open positions. Thank each other.",
]

export const welcome = "Welcome! Some points to thank those who help you with the start."
