import type * as en from "../../en/app/team.ts"

export const team: typeof en.team = {
  title: "Minha equipe",
  summary: "Com agradecimentos nos últimos 30 dias: {thanked} de {all}",
  whom: "Quem mostrar",
  depths: { direct: "Quem responde a mim", all: "Todos abaixo de mim" },
  waiting: "Sem agradecimentos há 30 dias",
  thanked: "Com agradecimentos nos últimos 30 dias",
  reportsTo: "responde a {name}",
  joined: "na empresa desde {day}",
  lastThanked: "Último agradecimento",
  never: "ainda nenhum",
  received: "Recebeu",
  given: "Enviou",
  nothing: "nada em 30 dias",
  thank: "Agradecer",
  thankPerson: "Agradecer a {name}",
  more: "Mostrar mais",
  empty: "Ninguém responde a você. Quem cuida das contas pode definir isso.",
  everybody: "Mostrar todos",
}
