const programme = {
  title: "Programme",
  lead: "What you decide here holds within a second, for everyone: in the app, in chats and for other programs. Each change is in the audit log.",
  usual: "Default: {value}",
  nothing: "none",
  save: "Save",
  saved: "Saved. It holds from now on.",
  unsaved: "Not saved yet.",
  conflict: "Somebody else has changed this meanwhile. What is saved now:",
  theirs: "Use what is saved",
  mine: "Replace it with mine",
  wholeNumber: "Enter a whole number.",
  wholeNumbers: "Enter whole numbers, separated by commas.",
  noAmount: "Enter an amount such as 0.05.",
  noCurrency: "Enter the code of a currency, such as EUR.",
  parts: {
    giving: { title: "Giving", lead: "What the app offers to give, and what it asks for." },
    tags: { title: "Tags", lead: "What people can be thanked for, such as the values of your company." },
    shown: { title: "What people see", lead: "Superusers see everything, except for a leaderboard that is off." },
    occasions: {
      title: "Occasions",
      lead: "Celebrated on Home at nine in the morning: birthdays of those who agreed, the rest unless somebody declined.",
    },
    worth: { title: "What one {unit} is worth", lead: "Only for the figures for finance in the insights." },
  },
  settings: {
    amounts: {
      label: "Amounts on offer",
      hint: "One to eight, separated by commas. People can still enter any other amount.",
    },
    reason: {
      label: "Reason",
      hint: "Whether people must say what they give for.",
      options: { optional: "Optional", required: "Required" },
    },
    reason_min: {
      label: "Shortest reason",
      hint: "How many characters a reason has at least, up to 500. 0 allows any length.",
    },
    "most_to_one.points": {
      label: "Most to one person",
      hint: "How many {units} one person can give another in the period below. Leave it empty for no limit.",
    },
    "most_to_one.period": {
      label: "Period of this limit",
      hint: "It begins anew with each week, month or quarter of the calendar.",
      options: { week: "Week", month: "Month", quarter: "Quarter" },
    },
    give_from: {
      label: "Give from",
      hint: "Whether people can give away what they earned. With the budget only, they keep it for rewards.",
      options: { balance: "Budget, then what was earned", budget: "Budget only" },
    },
    tag: {
      label: "Tag",
      hint: "Whether people must choose at least one tag.",
      options: { optional: "Optional", required: "Required" },
    },
    tags: {
      label: "List of tags",
      hint: "In this order. A tag that you remove stays on what was already given.",
    },
    "points_name.one": {
      label: "Name of one",
      hint: "What you call a single one. The default is translated; any other name is used in all languages.",
    },
    "points_name.many": {
      label: "Name of several",
      hint: "The same for several.",
    },
    amounts_shown: {
      label: "Amounts",
      hint: "Who sees how much was given, on Home, on the wall, on people's pages and in leaderboards.",
      options: { everyone: "Everyone", concerned: "Only those who gave or received it" },
    },
    leaderboard: {
      label: "Leaderboard",
      hint: "Who sees the leaderboard.",
      options: { everyone: "Everyone", superusers: "Superusers", off: "No one: there is none" },
    },
    "point_value.amount": {
      label: "Amount of money",
      hint: "With at most six decimals. Leave it empty to show no money.",
    },
    "point_value.currency": {
      label: "Currency",
      hint: "Its code, such as EUR.",
    },
  },
  occasions: {
    on: "yes",
    off: "no",
    birthday: { title: "Birthdays", active: "Celebrate birthdays" },
    anniversary: { title: "Anniversaries", active: "Celebrate anniversaries" },
    first_day: { title: "First days", active: "Celebrate first days" },
    points: "{Units} as a present",
    pointsHint: "0 for none.",
    text: "What colleagues read",
    textHint: "{name} stands for the person.",
    textHintYears: "{name} stands for the person, {years} for the number of years.",
  },
  tags: {
    emoji: "Emoji",
    name: "Name",
    description: "Description",
    add: "Add a tag",
    remove: "Remove the tag {name}",
    up: "Move the tag {name} up",
    none: "There are no tags yet.",
  },
}

/** Texts of the screen that changes the programme. */
export const programmeTexts = { programme }

export type ProgrammeTexts = typeof programmeTexts
