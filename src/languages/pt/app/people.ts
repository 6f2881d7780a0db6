import type * as en from "../../en/app/people.ts"

export const people: typeof en.people = {
  title: "Pessoas",
  search: "Nome ou nome de usuário",
  searchHint: "Nome",
  department: "Departamento",
  departments: "Todos",
  nobody: "Ninguém por aqui.",
  noneFits: "Ninguém encontrado para “{text}”.",
  everybody: "Mostrar todos",
  pages: "Páginas",
  first: "Primeira página",
  next: "Próxima página",
  active: "Ativas",
  inactive: "Desativadas",
  whose: "Contas",
  nobodyInactive: "Nenhuma conta está desativada.",
}
