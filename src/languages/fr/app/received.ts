import type * as en from "../../en/app/received.ts"

export const received: typeof en.received = {
  arrived: "{from} vous a donné {points}",
  together: "avec {names}",
  more: { one: "et # autre", other: "et # autres" },
  count: "({count} pour vous)",
  dismiss: "Ignorer",
  thankBack: "Remercier en retour",
  sinceLastVisit: "Depuis votre dernière visite",
  newReplies: "Nouvelles réponses",
  newForYou: "Nouveau pour vous",
  replied: "{from} a répondu : {text}",
  added: "{from} a ajouté {points} pour vous",
  notify: "M’avertir sur cet appareil",
  notifyText: "Quand vous recevez des {units} pendant que vous êtes ailleurs.",
  notPermitted:
    "Votre navigateur n’affiche pas les notifications de ce site. Vous pouvez les autoriser dans ses réglages.",
}
