import type * as en from "../../../en/app/admin/administration.ts"

export const admin: typeof en.admin = {
  people: "Pessoas",
  points: "{Units}",
  server: "Servidor",
  find: "Buscar uma pessoa pelo nome",
  create: "Cadastrar uma pessoa",
  createLead: "Uma conta com uma senha inicial",
  inviteLead: "Uma conta e um convite por e-mail",
  import: "Importar de um arquivo",
  importLead: "Cadastrar ou atualizar muitas pessoas de uma vez e convidá-las por e-mail",
  download: "Baixar",
  downloadPeople: "Todas as pessoas com seus saldos, em um arquivo para planilhas",
  downloadTransactions: "Todas as transações, em um arquivo para planilhas",
  allowances: "Cotas",
  programme: "Programa",
  programmeLead: "Regras para dar, tags, o que as pessoas veem, datas especiais",
  insights: "Indicadores",
  insightsLead: "Quem participa, quem é esquecido, quem agradece a quem",
  allowancesLead: "{Units} que as pessoas recebem a cada dia, semana, mês ou trimestre",
  grant: "Dar a várias pessoas",
  grantLead:
    "Uma concessão para repassar: no Início, digite vários nomes ou um departamento. Ou todos recebem, ou ninguém",
  history: "Transações de todos",
  historyLead: "Quem deu o quê a quem, e quando",
  leavers: "Quem saiu",
  leaversLead: "Contas que foram desativadas",
}
