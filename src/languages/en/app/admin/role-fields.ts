export const roles = {
  manager: "Reports to",
  nobody: "Nobody",
  duties: "Duties",
  dutiesText: "What this person runs without being a superuser.",
  names: { insights: "Insights", rewards: "Rewards", people: "People", programme: "Programme" },
  texts: {
    insights: "Reads insights, what is outstanding and the files for finance.",
    rewards: "Keeps the catalogue and answers requests.",
    people: "Creates, corrects and deactivates accounts, except those of superusers.",
    programme: "Sets the rules of giving, allowances, celebrations and departments.",
  },
}
