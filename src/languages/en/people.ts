const recognition = {
  title: "Recognition",
  copy: "Copy link",
  copied: "Link copied",
  notCopied: "Copy the address from the address bar.",
  share: "Share",
  toFeed: "All recognition",
  notFound: "Recognition not found",
  notFoundText: "It may be private, or the link may be incomplete.",
}

const people = {
  title: "People",
  search: "Name or username",
  searchHint: "Name",
  department: "Department",
  departments: "Everyone",
  nobody: "There's no one here.",
  noneFits: "No one found for “{text}”.",
  everybody: "Show everyone",
  pages: "Pages",
  first: "First page",
  next: "Next page",
  active: "Active",
  inactive: "Deactivated",
  whose: "Accounts",
  nobodyInactive: "No account is deactivated.",
}

/** Texts of the list of people, and of the page of one recognition. */
export const peopleTexts = { recognition, people }

export type PeopleTexts = typeof peopleTexts
