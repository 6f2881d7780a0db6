export const forgot = {
  title: "Forgot your password?",
  lead: "Enter your e-mail address and we'll send you a link to set a new one.",
  email: "E-mail address",
  submit: "Send link",
  missing: "Enter your e-mail address.",
  wrong: "Enter a full e-mail address, such as ana@example.com.",
  sentTitle: "Check your e-mail",
  sent: "If there is an account with this address, a link is on its way. It works once, and only for a few minutes.",
  again: "Use a different address",
  back: "Back to log in",
}
