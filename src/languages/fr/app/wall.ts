import type * as en from "../../en/app/wall.ts"

export const wall: typeof en.wall = {
  title: "Mur",
  from: "de",
  empty: "Pas encore de remerciement",
  invitation: "Remerciez quelqu’un sur {address} et cela apparaîtra ici.",
  qrCode: "Code QR de cette application",
  week: "Cette semaine",
  weekEmpty: "Pas encore de merci. Qui vous a aidé ?",
  thanks: { one: "# merci", other: "# mercis" },
  keyMissing: "Ce mur a besoin de sa clé",
  keyEnded: "La clé de ce mur n’est plus valable",
  keyHow:
    "Demandez à la personne qui gère le serveur le lien du mur, avec la clé du réglage stream.wall_key, et ouvrez-le ici une fois :",
  logIn: "Ou connectez-vous",
  fullScreen: "Plein écran",
  leaveFullScreen: "Quitter le plein écran",
  back: "Retour",
}
