import type * as en from "../../en/app/received.ts"

export const received: typeof en.received = {
  arrived: "{from} hat dir {points} gegeben",
  together: "zusammen mit {names}",
  more: { one: "und # weitere", other: "und # weitere" },
  count: "({count} neu)",
  dismiss: "Ausblenden",
  thankBack: "Zurückdanken",
  sinceLastVisit: "Seit deinem letzten Besuch",
  newReplies: "Neue Antworten",
  newForYou: "Neu für dich",
  replied: "{from} hat geantwortet: {text}",
  added: "{from} hat {points} für dich dazugegeben",
  notify: "Auf diesem Gerät benachrichtigen",
  notifyText: "Wenn du {units} bekommst, während du woanders bist.",
  notPermitted:
    "Dein Browser zeigt keine Benachrichtigungen dieser Seite. In seinen Einstellungen lässt sich das erlauben.",
}
