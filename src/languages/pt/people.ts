import type { PeopleTexts } from "../en/people.ts"

const recognition: PeopleTexts["recognition"] = {
  title: "Reconhecimento",
  copy: "Copiar link",
  copied: "Link copiado",
  notCopied: "Copie o endereço da barra de endereços.",
  share: "Compartilhar",
  toFeed: "Todos os reconhecimentos",
  notFound: "Reconhecimento não encontrado",
  notFoundText: "Pode ser privado, ou o link pode estar incompleto.",
}

const people: PeopleTexts["people"] = {
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

export const peopleTexts: PeopleTexts = { recognition, people }
