const leaving = {
  title: "When this person leaves",
  lead: "A deactivated account can't be used any more. You can reactivate it, or erase what is stored about the person.",
  leadWithoutErasure: "A deactivated account can't be used any more. You can reactivate it.",
  titleInactive: "This account is deactivated",
  leadInactive: "Nobody can log in with it, and it is left out of lists and leaderboards. Its history stays.",
  isErased: "This account was erased. Only its transactions are left, under this placeholder.",
  deactivatedSince: "Deactivated",
  deactivate: "Deactivate",
  deactivateTitle: "Deactivate {name}?",
  endsAccess: "All sessions end at once, and logging in is no longer possible.",
  leavesLists: "The account disappears from searches, lists and running leaderboards, and gets no mail.",
  keepsHistory: "The history stays, and you can reactivate the account later.",
  returnLeft: "Return the remaining {points} to Admin",
  returnLeftLead: "The history shows this as a refund. Reactivating doesn't bring the {units} back.",
  keepLeftLead: "Otherwise they stay in the account, and no one can use them unless it is reactivated.",
  deactivated: "{name} has been deactivated.",
  deactivatedReturned: "{name} has been deactivated. What was left has gone back to Admin.",
  reactivate: "Reactivate",
  reactivateTitle: "Reactivate {name}?",
  reactivateLead: "Logging in works again, with the password from before. Sessions from before stay ended.",
  reactivated: "{name} can log in again.",
  returnPoints: "Return {units}",
  returnTitle: "Return {points} to Admin?",
  returned: "{points} of {name} have gone back to Admin.",
  erase: "Erase",
  eraseTitle: "Erase {name}?",
  erasesIdentity: "Name, username and e-mail address are replaced by a placeholder (“Former colleague”), everywhere.",
  erasesProfile:
    "Picture, bio, birthday, first day and sessions are deleted, and so are the IP addresses of past log-ins.",
  keepsTransactions: "Transactions stay, under the placeholder.",
  keepsPoints: "Transactions stay, under the placeholder, and so do the {points} that are left.",
  reasons: "Reasons and replies",
  reasonsOf: {
    none: "Keep them all",
    written: "Erase what {name} wrote",
    all: "Also erase the reasons that others gave for thanking {name}",
  },
  eraseFinal: "This can't be undone. Backups made before still have everything.",
  typeUsername: "To confirm, type the username: {username}",
  wrongUsername: "Type “{username}”.",
  eraseConfirm: "Erase for good",
  erased: "{name} has been erased.",
}

/** Texts of an account in the administration. */
export const accountsTexts = {
  leaving,
}

export type AccountsTexts = typeof accountsTexts
