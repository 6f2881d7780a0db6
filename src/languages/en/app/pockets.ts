export const pockets = {
  budget: "Budget to give",
  earned: "Earned",
  noLimit: "No limit",
}
