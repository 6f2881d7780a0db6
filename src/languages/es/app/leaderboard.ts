import type * as en from "../../en/app/leaderboard.ts"

export const leaderboard: typeof en.leaderboard = {
  title: "Clasificación",
  period: "Periodo",
  week: "Semana",
  month: "Mes",
  quarter: "Trimestre",
  year: "Año",
  all: "Siempre",
  ever: "Desde el principio",
  by: "Recibido o dado",
  received: "Recibido",
  sent: "Dado",
  rank: "Puesto",
  person: "Persona",
  points: "{Units}",
  times: { one: "# vez", other: "# veces" },
  you: "Tú",
  inPeriod: {
    week: "esta semana",
    month: "este mes",
    quarter: "este trimestre",
    year: "este año",
    all: "hasta ahora",
  },
  thankedYou: {
    one: "# persona te ha dado las gracias {period}.",
    other: "# personas te han dado las gracias {period}.",
  },
  youThanked: {
    one: "Has dado las gracias a # persona {period}.",
    other: "Has dado las gracias a # personas {period}.",
  },
  ownNone: "Nadie te ha dado las gracias {period} todavía. Las gracias suelen volver:",
  noneThanked: "Todavía no has dado las gracias a nadie {period}.",
  hidden: "Aquí cada uno ve solo sus propios {units}.",
  thank: "Dar las gracias a alguien",
}
