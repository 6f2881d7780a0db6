import type { Plural } from "../languages.ts"

const profile = {
  title: "My profile",
  asOthers: "See it as others do",
  celebrating: {
    title: "Birthday and anniversaries",
    question: "Your colleagues like to celebrate with you. May they?",
    answers: {
      yes: "Yes: my birthday, and my anniversaries here",
      anniversaries: "My anniversaries here, but not my birthday",
      no: "Neither, please",
    },
    month: "Month of your birthday",
    day: "Day",
    noMonth: "No month",
    noDay: "No day",
    noYear: "Nobody asks for the year.",
    saved: "Saved. You can change your mind at any time.",
  },
  picture: "Picture",
  choosePicture: "Choose picture",
  useAddress: "Use an address",
  removePicture: "Remove picture",
  address: "Picture address",
  noAddress: "Enter an address that begins with https://",
  foreignPicture: "Pictures from this address are not shown here. Choose one from your device.",
  brokenPicture: "There is no picture at this address.",
  noPicture: "This file can't be shown as a picture. Choose a PNG or JPEG.",
  notSaved: "Not saved yet.",
  savePicture: "Save picture",
  about: "About me",
  name: "Full name",
  missingName: "Enter your name.",
  bio: "A few words",
  longBio: "This is too long.",
  save: "Save",
  saved: "Saved",
  password: "Password",
  currentPassword: "Current password",
  changePassword: "Change password",
  endsOthers: "You'll have to log in again everywhere else.",
  provider: "Company account",
  providerText: "Connect it to log in here without a password. Its e-mail address must be the one above.",
  connect: "Connect company account",
  passwordChanged: "Your password has been changed. All other sessions have ended; this one stays open.",
  sessions: "Where you are logged in",
  sessionsLead: "If you don't recognize one, end it and change your password.",
  thisSession: "This browser",
  somewhere: "Unknown address",
  opened: "Logged in",
  end: "End",
  endOthers: "End all other sessions ({number})",
  ended: { one: "# session has ended.", other: "# sessions have ended." } as Plural,
  notifications: "Notifications",
  mail: "E-mail",
  mailWhen: "When someone thanks you",
  mailWords: { each: "An e-mail right away", daily: "One e-mail a day", off: "No e-mail about recognition" },
  mailText:
    "On Mondays you also get a summary of the week, and after each quarter a look back, unless you choose no e-mail.",
  mailLanguage: "Language, here and in e-mails",
  serviceLanguage: "Default",
  mailSaved: "Saved.",
}

const secondFactor = {
  title: "Second factor",
  requiredLead:
    "Your account can do a lot, so it needs more than a password. Set up a passkey or an authenticator app to go on.",
  loginLead: "Your account has a second factor.",
  goOn: "Continue",
  code: "Code from your app",
  missingCode: "Enter the code.",
  noPasskey: "No passkey was used. Try again.",
  usePasskey: "Use a passkey",
  recoveryCode: "Recovery code",
  useRecoveryCode: "Use a recovery code",
  back: "Back",
}

/** Texts of the own profile, and of second factors at a log-in. */
export const profileTexts = { profile, secondFactor }

export type ProfileTexts = typeof profileTexts
