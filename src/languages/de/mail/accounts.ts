import type * as en from "../../en/mail/accounts.ts"

export const accountMail: typeof en.accountMail = {
  secondFactor: {
    subject: "Dein zweiter Faktor wurde geändert",
    button: "Konto prüfen",
    passkey_added: "Zu deinem Konto wurde ein Passkey hinzugefügt",
    totp_added: "Zu deinem Konto wurde eine App für Einmalcodes hinzugefügt",
    passkey_removed: "Von deinem Konto wurde ein Passkey entfernt",
    totp_removed: "Von deinem Konto wurde eine App für Einmalcodes entfernt",
    reset: "Ein Administrator hat alle zweiten Faktoren deines Kontos entfernt",
    text: `Hallo {name},

{what}: {when}.

Wenn du das warst oder darum gebeten hast, brauchst du nichts zu tun. Wenn nicht, ändere jetzt dein Passwort, prüfe deine
zweiten Faktoren und sag einem Administrator Bescheid:

{url}
`,
  },
  reset: {
    subject: "Neues Passwort für {service}",
    button: "Neues Passwort wählen",
    text: `Jemand, hoffentlich du, möchte das Passwort deines Kontos bei {service} zurücksetzen.
Öffne diesen Link, um ein neues zu wählen:

{url}

Der Link gilt {minutes}.
Wenn du das nicht warst, ignoriere diese E-Mail: Dein Passwort bleibt, wie es ist.
`,
    minutes: { one: "# Minute", other: "# Minuten" },
  },
  invitation: {
    subject: "Dein Konto bei {service}",
    button: "Passwort wählen",
    text: `Hallo {name},

du hast jetzt ein Konto bei {service}. {invited}Dein Benutzername ist {username}.
Öffne diesen Link, um ein Passwort zu wählen:

{url}

Der Link gilt {days}. Danach hilft „Passwort vergessen?“ auf der Anmeldeseite.
`,
    days: { one: "# Tag", other: "# Tage" },
  },
  invitationToProvider: {
    subject: "Dein Konto bei {service}",
    button: "Anmelden",
    text: `Hallo {name},

du hast jetzt ein Konto bei {service}. {invited}Dein Benutzername ist {username}.
Melde dich hier mit dem Konto deiner Firma an; ein eigenes Passwort brauchst du nicht:

{url}
`,
  },
  /** To a superuser who asked for it. */
  test: {
    subject: "Test der E-Mails von {service}",
    button: "Seite des Servers öffnen",
    text: `Hallo {name},

E-Mails von {service} kommen an: Der Mailserver nimmt sie an, und diese liegt in deinem Postfach. Es gibt nichts zu tun.

Der Zustand des Servers:

{url}
`,
  },
  /** In an invitation, after its first sentence. */
  invited: "{inviter} hat dich eingeladen.",
  /** Why one gets mail about accounts and rewards. */
  why: "Du bekommst diese E-Mail, weil du ein Konto bei {service} hast.",
}
