import type * as en from "../../en/chat/give.ts"

export const giveTexts: typeof en.giveTexts = {
  usage:
    "Schreibe `/give @ada 25 für das Review #sorgfalt`: eine Person, die {units} und, wenn du magst, wofür und Schlagwörter.",
  sending: "Wird gesendet …",
  sent: "Du hast {name} {points} gegeben. Du hast noch {left} zu geben.",
  noAddress:
    "{chat} kennt keine bestätigte E-Mail-Adresse von dir. Bestätige sie in deinem Profil in {chat} und versuche es noch einmal.",
  unknownSender:
    "Niemand hat hier die E-Mail-Adresse {email} aus deinem Profil in {chat}. Bitte einen Administrator, sie in dein Konto einzutragen.",
  unknownReceiver: "{name} hat hier kein Konto. Wähle jemanden aus der Liste, die {chat} nach @ zeigt.",
  tooLittle: "Du hast {left} zu geben. Gib weniger oder warte auf dein nächstes Kontingent.",
  noTags: "Hier gibt es keine Schlagwörter. Lass sie weg.",
  unknownTag: "Wähle unter diesen Schlagwörtern: {tags}",
  badValue: "Gib an, wie viele {units}: eine ganze Zahl, mindestens 1.",
  refused: "Es wurde nichts gesendet: {why}",
  notSetUp:
    "Es wurde nichts gesendet: Diese App ist nicht vollständig eingerichtet. Sag einem Administrator, dass `rewards doctor` mehr weiß.",
  noDialog:
    "Das Formular ließ sich nicht öffnen. Versuche es noch einmal, oder schreibe `/give @ada 25 für das Review`.",
  dialog: {
    title: "{Units} geben",
    send: "Geben",
    cancel: "Abbrechen",
    to: "An",
    value: "{Units}",
    reason: "Wofür",
    tags: "Schlagwörter",
  },
}
