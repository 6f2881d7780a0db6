export const secondFactor = {
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
