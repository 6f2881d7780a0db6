import type { Plural } from "../../writing.ts"

/** About passwords, second factors and new accounts. */
export const accountMail = {
  secondFactor: {
    subject: "Your second factor was changed",
    button: "Check your account",
    passkey_added: "A passkey was added to your account",
    totp_added: "An app for one-time codes was added to your account",
    passkey_removed: "A passkey was removed from your account",
    totp_removed: "An app for one-time codes was removed from your account",
    reset: "An administrator removed all second factors of your account",
    text: `Hello {name},

{what} on {when}.

If this was you, or you asked for it, there is nothing to do. If not, change your password now, check your second factors, and
tell an administrator:

{url}
`,
  },
  reset: {
    subject: "Password reset for {service}",
    button: "Choose a new password",
    text: `Someone, hopefully you, asked to reset the password of your account at {service}.
Open this link to choose a new one:

{url}

The link expires in {minutes}.
If it was not you, ignore this mail: your password stays as it is.
`,
    minutes: { one: "# minute", other: "# minutes" } as Plural,
  },
  invitation: {
    subject: "Your account at {service}",
    button: "Choose a password",
    text: `Hello {name},

You now have an account at {service}. {invited}Your user name is {username}.
Open this link to choose a password:

{url}

The link expires in {days}. After that, use "Forgot your password?" on the log-in page.
`,
    days: { one: "# day", other: "# days" } as Plural,
  },
  /** To somebody who logs in through the provider of the company. */
  invitationToProvider: {
    subject: "Your account at {service}",
    button: "Log in",
    text: `Hello {name},

You now have an account at {service}. {invited}Your user name is {username}.
Log in here with the account of your company; you need no password of your own:

{url}
`,
  },
  /** To a superuser who asked for it. */
  test: {
    subject: "A test of the mail of {service}",
    button: "Open the server's page",
    text: `Hello {name},

mail from {service} arrives: the mail server takes it, and it is in your mailbox. There is nothing to do.

The state of the server:

{url}
`,
  },
  /** In an invitation, after its first sentence. */
  invited: "{inviter} has invited you.",
  /** Why one gets mail about accounts and rewards. */
  why: "You get this mail because you have an account at {service}.",
}
