import type * as en from "../../en/app/login.ts"

export const login: typeof en.login = {
  title: "Anmelden",
  username: "Benutzername oder E-Mail",
  password: "Passwort",
  show: "Passwort zeigen",
  hide: "Passwort verbergen",
  atLeast: { one: "Mindestens # Zeichen", other: "Mindestens # Zeichen" },
  submit: "Anmelden",
  forgot: "Passwort vergessen?",
  provider: "Mit dem Firmenkonto anmelden",
  or: "oder",
  otherAddress: "Anmelden kannst du dich nur unter dieser Adresse des Servers:",
  missingUsername: "Gib deinen Benutzernamen oder deine E-Mail-Adresse ein.",
  missingPassword: "Gib dein Passwort ein.",
  ended: "Deine Sitzung ist beendet. Melde dich an, um dort weiterzumachen, wo du warst.",
  changed: "Dein Passwort ist geändert. Melde dich mit dem neuen an.",
  again: "Melde dich zuerst noch einmal an, denn das schützt dein Konto. Versuche es dann noch einmal.",
  errors: {
    expired: "Diese Anmeldung hat zu lange gedauert oder begann in einem anderen Browser. Versuche es noch einmal.",
    denied: "Die Anmeldung wurde abgebrochen. Versuche es noch einmal, wenn du so weit bist.",
    unavailable: "Die Anmeldung deiner Firma ist gerade nicht möglich. Versuche es gleich noch einmal.",
    failed:
      "Die Anmeldung deiner Firma gab eine Antwort, der man nicht trauen kann. Wenn es wieder geschieht, sag es der Person, die diesen Server betreibt.",
    unverified_email:
      "Dein Firmenkonto hat keine bestätigte E-Mail-Adresse. Bitte die Person, die diese Konten verwaltet, sie zu bestätigen.",
    no_account: "Mit deiner E-Mail-Adresse gibt es hier kein Konto. Bitte einen Administrator, eines anzulegen.",
    inactive: "Dein Konto hier ist deaktiviert.",
    superuser: "Administratoren verbinden ihr Firmenkonto in ihrem Profil. Melde dich zuerst mit deinem Passwort an.",
    linked_elsewhere:
      "Dein Konto hier ist mit einem anderen Firmenkonto verbunden. Bitte die Person, die diesen Server betreibt, es zu trennen.",
    incomplete:
      "Deinem Firmenkonto fehlen Angaben, die ein Konto hier braucht. Bitte einen Administrator, eines anzulegen.",
    too_many: "Zu viele Anmeldungen sind fehlgeschlagen. Versuche es in fünf Minuten noch einmal.",
  },
}
