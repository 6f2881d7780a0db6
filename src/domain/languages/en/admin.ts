import { accountsTexts } from "./accounts.ts"
import { figuresTexts } from "./figures.ts"
import { upkeepTexts } from "./upkeep.ts"

const admin = {
  people: "People",
  points: "{Units}",
  server: "Server",
  find: "Find a person by name",
  create: "Create a person",
  createLead: "An account with an initial password",
  import: "Import from a file",
  importLead: "Create or update many people at once and invite them by e-mail",
  download: "Download",
  downloadPeople: "Everyone and their balances, as a file for spreadsheets",
  downloadTransactions: "Every transaction, as a file for spreadsheets",
  allowances: "Allowances",
  insights: "Insights",
  insightsLead: "Who takes part, who is overlooked, who thanks whom",
  allowancesLead: "{Units} that are paid to people every day, week, month or quarter",
  grant: "Give to many",
  grantLead:
    "A grant to pass on: on Home, type several names or a department. Either all of them get it or no one does",
  history: "Everyone's transactions",
  historyLead: "Who gave what to whom, and when",
  name: "Full name",
  email: "E-mail address",
  dept: "Department",
  username: "Username",
  optional: "optional",
  days: {
    birthday: "Birthday, as MM-DD",
    joined: "First day here",
    text: "Their colleagues read of a birthday only if the person agrees, and of an anniversary unless the person declines.",
    celebrates: {
      yes: "Wants to be celebrated.",
      no: "Doesn't want to be celebrated.",
      unsaid: "Hasn't said yet whether to celebrate the birthday.",
    },
    save: "Save",
    saved: "Saved the days of {name}.",
  },
  password: "Initial password",
  createSubmit: "Create",
  missing: {
    name: "Enter the full name.",
    email: "Enter the e-mail address.",
    dept: "Enter a department.",
    password: "Enter a password, or have one suggested.",
  },
  superusers: "People in management can give without limit and administer this service.",
  newDept: "New department “{name}”",
  isNewDept: "“{name}” is a new department.",
  unknownDept: "There is no department “{name}” yet. Choose one from the list, or choose it there as a new one.",
  almostManagement: "Choose “management” from the list if this person should be a superuser.",
  superuser: "superuser",
  suggest: "Suggest one",
  suggested: "To hand over:",
  handover: "Password to hand over to {name}",
  created: "{name} can now log in.",
  save: "Save changes",
  saved: "The details of {name} have been saved.",
  newAddress: "Links that were sent to the old address stop working.",
  leavers: "People who left",
  leaversLead: "Deactivated accounts: reactivate or erase them",
  newPassword: "New password",
  setPassword: "Set password",
  endsAll: "{name} will be logged out everywhere and needs the new password to log in.",
  endsOwn: "Your other sessions will end; this one stays open.",
  passwordSet: "The password for {name} has been changed.",
  ownPasswordSet: "Your password has been changed.",
  sendLink: "Send a link instead",
  linkSent: "A link to set a password is on its way to {email}.",
}

/** Texts that all of the administration shares. */
export const adminTexts = {
  admin,
  ...accountsTexts,
  ...figuresTexts,
  ...upkeepTexts,
}

export type AdminTexts = typeof adminTexts
