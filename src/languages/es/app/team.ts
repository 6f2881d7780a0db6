import type * as en from "../../en/app/team.ts"

export const team: typeof en.team = {
  title: "Mi equipo",
  summary: "Han recibido las gracias en los últimos 30 días: {thanked} de {all}",
  whom: "A quién mostrar",
  depths: { direct: "Dependen de mí", all: "Todos por debajo de mí" },
  waiting: "30 días sin recibir las gracias",
  thanked: "Han recibido las gracias en los últimos 30 días",
  reportsTo: "depende de {name}",
  joined: "aquí desde {day}",
  lastThanked: "Últimas gracias",
  never: "nunca todavía",
  received: "Recibido",
  given: "Dado",
  nothing: "nada en 30 días",
  thank: "Dar las gracias",
  thankPerson: "Dar las gracias a {name}",
  more: "Ver más",
  empty: "Nadie depende de ti. Quien gestiona las cuentas puede indicarlo.",
  everybody: "Mostrar a todos",
}
