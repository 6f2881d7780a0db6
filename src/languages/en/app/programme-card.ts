export const programmeCard = {
  title: "The programme",
  participation: "Gave thanks this month",
  requests: "Open requests",
}
