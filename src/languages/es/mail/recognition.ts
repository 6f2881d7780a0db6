import type * as en from "../../en/mail/recognition.ts"

export const recognitionMail: typeof en.recognitionMail = {
  thanks: { subject: "{from} te ha dado las gracias: {points}", text: "{from} te ha dado las gracias y {points}." },
  added: {
    subject: "{from} ha añadido {points} para ti",
    text: "{from} está de acuerdo con {first} y ha añadido {points} para ti.",
    title: "{first}, y {points} más de {from}",
  },
  push: { thanked: "{from} te ha dado las gracias", added: "{from} ha añadido {units} para ti" },
  digest: {
    day: {
      one: "Ayer te dieron las gracias una vez, con {points}",
      other: "Ayer te dieron las gracias # veces, con {points}",
    },
    week: {
      one: "La semana pasada te dieron las gracias una vez, con {points}",
      other: "La semana pasada te dieron las gracias # veces, con {points}",
    },
    nobodySubject: "Tu semana",
    nobody: "La semana pasada nadie te dio las gracias. ¿Y si se las das tú a alguien?",
    more: { one: "Y # más.", other: "Y # más." },
    given: {
      one: "La semana pasada diste las gracias una vez.",
      other: "La semana pasada diste las gracias # veces.",
    },
    givenNone: "La semana pasada no diste las gracias a nadie.",
    toGive: "Tienes {points} para dar.",
  },
  summary: {
    subject: "Reconocimiento en {month}",
    text: "En {month}, {senders} las gracias a {receivers}: {times}, con {points}.",
    senders: { one: "# persona dio", other: "# personas dieron" },
    receivers: { one: "# persona", other: "# personas" },
    times: { one: "# vez", other: "# veces" },
    tags: "Etiquetas más usadas: {tags}.",
    everybody: "Todo el mundo recibió las gracias.",
    overlooked: {
      one: "# persona no recibió las gracias ese mes.",
      other: "# personas no recibieron las gracias ese mes.",
    },
  },
  recap: {
    subjects: [
      "Tu primer trimestre de {year}",
      "Tu segundo trimestre de {year}",
      "Tu tercer trimestre de {year}",
      "Tu cuarto trimestre de {year}",
    ],
    received: {
      one: "En estos tres meses te dieron las gracias una vez, de parte de {people}, con {points}.",
      other: "En estos tres meses te dieron las gracias # veces, de parte de {people}, con {points}.",
    },
    people: { one: "# persona", other: "# personas" },
    receivedNone: "En estos tres meses nadie te dio las gracias.",
    given: { one: "Diste las gracias una vez.", other: "Diste las gracias # veces." },
    givenNone: "No diste las gracias a nadie.",
    open: "Verlo todo en una página",
  },
  team: {
    subject: {
      one: "# persona de tu equipo lleva 30 días sin recibir las gracias",
      other: "# personas de tu equipo llevan 30 días sin recibir las gracias",
    },
    text: "Desde hace 30 días o más, nadie ha dado las gracias a:",
    last: "Últimas gracias: {day}.",
    never: "Todavía nadie le ha dado las gracias.",
  },
  newcomer: {
    subject: "{name} lleva tres semanas aquí",
    text: "{name} empezó el {day}.",
    thanked: {
      one: "Desde entonces han dado las gracias a {name} una vez.",
      other: "Desde entonces han dado las gracias a {name} # veces.",
    },
    nobody: "Todavía nadie ha dado las gracias a {name}. Puedes ser la primera persona.",
  },
  open: "Ver lo que dice la gente",
  openTeam: "Abrir tu equipo",
  openInsights: "Abrir el análisis",
  whyRecognition: "Recibes este correo de {service}. Puedes cambiarlo en «Mi perfil».",
  unsubscribe: "Dejar de recibir estos correos",
  unsubscribeQuestion: "¿Dejar de recibir correos sobre reconocimiento?",
  unsubscribeButton: "Dejar de recibirlos",
  unsubscribed: "No recibirás más correos sobre reconocimiento. Puedes activarlos de nuevo en «Mi perfil».",
  badLink: "Este enlace está incompleto. Copia el enlace entero del correo.",
}
