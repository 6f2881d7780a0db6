import type * as en from "../../en/app/person.ts"

export const person: typeof en.person = {
  received: "Recebeu",
  given: "Enviou",
  times: { one: "# vez", other: "# vezes" },
  thankedFor: "Mais agradecimentos por",
  thankedBy: { one: "# pessoa agradeceu em um ano", other: "# pessoas agradeceram em um ano" },
  words: "Palavras mais bonitas",
  about: "Sobre",
  department: "Departamento",
  manager: "Gestor",
  joined: "Entrou em",
  birthday: "Aniversário",
  edit: "Editar meu perfil",
  account: "Conta",
  history: "Histórico",
  nobodyTitle: "Pessoa não encontrada",
  nobody: "Ninguém tem o nome de usuário",
  toPeople: "Buscar pessoas",
  inactive: "Conta desativada",
}
