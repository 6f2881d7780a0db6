import type * as en from "../../en/mail/accounts.ts"

export const accountMail: typeof en.accountMail = {
  secondFactor: {
    subject: "Votre second facteur a changé",
    button: "Vérifier mon compte",
    passkey_added: "Une clé d’accès a été ajoutée à votre compte",
    totp_added: "Une application de codes a été ajoutée à votre compte",
    passkey_removed: "Une clé d’accès a été retirée de votre compte",
    totp_removed: "Une application de codes a été retirée de votre compte",
    reset: "Un administrateur a retiré tous les seconds facteurs de votre compte",
    text: `Bonjour {name},

{what} : {when}.

Si c’était vous, ou si vous l’avez demandé, il n’y a rien à faire. Sinon, changez tout de suite votre mot de passe, vérifiez vos
seconds facteurs et prévenez un administrateur :

{url}
`,
  },
  reset: {
    subject: "Nouveau mot de passe pour {service}",
    button: "Choisir un nouveau mot de passe",
    text: `Quelqu’un, vous sans doute, a demandé à réinitialiser le mot de passe de votre compte chez {service}.
Ouvrez ce lien pour en choisir un nouveau :

{url}

Le lien expire dans {minutes}.
Si ce n’était pas vous, ignorez cet e-mail : votre mot de passe ne change pas.
`,
    minutes: { one: "# minute", other: "# minutes" },
  },
  invitation: {
    subject: "Votre compte chez {service}",
    button: "Choisir un mot de passe",
    text: `Bonjour {name},

Vous avez maintenant un compte chez {service}. {invited}Votre nom d’utilisateur est {username}.
Ouvrez ce lien pour choisir un mot de passe :

{url}

Le lien expire dans {days}. Ensuite, utilisez « Mot de passe oublié ? » sur la page de connexion.
`,
    days: { one: "# jour", other: "# jours" },
  },
  invitationToProvider: {
    subject: "Votre compte chez {service}",
    button: "Se connecter",
    text: `Bonjour {name},

Vous avez maintenant un compte chez {service}. {invited}Votre nom d’utilisateur est {username}.
Connectez-vous ici avec le compte de votre entreprise ; vous n’avez pas besoin d’un mot de passe à vous :

{url}
`,
  },
  /** To a superuser who asked for it. */
  test: {
    subject: "Test des e-mails de {service}",
    button: "Ouvrir la page du serveur",
    text: `Bonjour {name},

Les e-mails de {service} arrivent : le serveur de messagerie les accepte, et celui-ci est dans votre boîte. Il n’y a rien à faire.

L’état du serveur :

{url}
`,
  },
  /** In an invitation, after its first sentence. */
  invited: "{inviter} vous a invité.",
  /** Why one gets mail about accounts and rewards. */
  why: "Vous recevez cet e-mail parce que vous avez un compte chez {service}.",
}
