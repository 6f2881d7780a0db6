import type * as en from "../../../en/app/admin/role-fields.ts"

export const roles: typeof en.roles = {
  manager: "Responde a",
  nobody: "Ninguém",
  duties: "Funções",
  dutiesText: "O que esta pessoa administra sem ser superusuária.",
  names: { insights: "Indicadores", rewards: "Prêmios", people: "Pessoas", programme: "Programa" },
  texts: {
    insights: "Lê os indicadores, o que está em aberto e os arquivos para o financeiro.",
    rewards: "Cuida do catálogo e responde aos pedidos.",
    people: "Cria, corrige e desativa contas, menos as de superusuários.",
    programme: "Define as regras para dar, as cotas, as comemorações e os departamentos.",
  },
}
