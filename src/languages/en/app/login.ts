import type { Plural } from "../../writing.ts"

export const login = {
  title: "Log in",
  username: "Username or e-mail",
  password: "Password",
  show: "Show password",
  hide: "Hide password",
  atLeast: { one: "At least # character", other: "At least # characters" } as Plural,
  submit: "Log in",
  forgot: "Forgot your password?",
  provider: "Log in with your company account",
  or: "or",
  otherAddress: "You can log in only at this address of the server:",
  missingUsername: "Enter your username or e-mail address.",
  missingPassword: "Enter your password.",
  ended: "Your session has ended. Log in to continue where you left off.",
  changed: "Your password has been changed. Log in with the new one.",
  again: "Log in again first, because this protects your account. Then try again.",
  errors: {
    expired: "That log-in took too long, or was started in another browser. Try again.",
    denied: "The log-in was cancelled. Try again when you're ready.",
    unavailable: "Your company's log-in can't be used right now. Try again in a moment.",
    failed:
      "Your company's log-in gave an answer that can't be trusted. If it happens again, tell whoever runs this server.",
    unverified_email:
      "Your company account has no confirmed e-mail address. Ask whoever manages those accounts to confirm it.",
    no_account: "There is no account here with your e-mail address. Ask an administrator to create one.",
    inactive: "Your account here has been deactivated.",
    superuser: "Administrators connect their company account in their profile. Log in with your password first.",
    linked_elsewhere:
      "Your account here is connected to a different company account. Ask whoever runs this server to disconnect it.",
    incomplete:
      "Your company account doesn't have all the details that an account here needs. Ask an administrator to create one.",
    too_many: "Too many log-ins have failed. Try again in five minutes.",
  },
}
