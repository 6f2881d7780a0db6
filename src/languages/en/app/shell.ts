export const noScript: string = "This page needs JavaScript. Please switch it on for this address."

export const shell = {
  skip: "Skip to content",
  navigation: "Main",
  home: "Home",
  people: "People",
  history: "History",
  leaderboard: "Leaderboard",
  rewards: "Rewards",
  team: "My team",
  recap: "Look back",
  wall: "Wall",
  admin: "Admin",
  me: "My profile",
  account: "Account",
  logOut: "Log out",
  stillLoggedIn: "You are still logged in.",
  appearance: "Appearance",
  light: "Light",
  dark: "Dark",
  asDevice: "System",
  language: "Language",
}
