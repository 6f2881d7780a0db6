import type { AccountsTexts } from "../en/accounts.ts"

const leaving: AccountsTexts["leaving"] = {
  title: "Quando esta pessoa sair",
  lead: "Uma conta desativada não pode mais ser usada. Depois é possível reativá-la ou apagar os dados da pessoa.",
  titleInactive: "Esta conta está desativada",
  leadInactive: "Ninguém pode entrar com ela, e ela não aparece em listas nem classificações. O histórico fica.",
  isErased: "Esta conta foi apagada. Só restam as transações, com este nome no lugar.",
  deactivatedSince: "Desativada",
  deactivate: "Desativar",
  deactivateTitle: "Desativar a conta de {name}?",
  endsAccess: "Todas as sessões são encerradas na hora, e não é mais possível entrar.",
  leavesLists: "A conta some de buscas, listas e classificações em andamento e não recebe e-mails.",
  keepsHistory: "O histórico fica, e você pode reativar a conta depois.",
  returnLeft: "Devolver a Admin o que restou: {points}",
  returnLeftLead: "A devolução aparece no histórico. Reativar a conta não traz {units} de volta.",
  keepLeftLead: "Do contrário, ficam na conta, onde ninguém pode usá-los a menos que ela seja reativada.",
  deactivated: "A conta de {name} foi desativada.",
  deactivatedReturned: "A conta de {name} foi desativada. O que restou voltou para Admin.",
  reactivate: "Reativar",
  reactivateTitle: "Reativar a conta de {name}?",
  reactivateLead: "Volta a ser possível entrar, com a senha de antes. As sessões de antes continuam encerradas.",
  reactivated: "{name} já pode entrar de novo.",
  returnPoints: "Devolver {units}",
  returnTitle: "Devolver {points} a Admin?",
  returned: "{points} de {name} voltaram para Admin.",
  erase: "Apagar",
  eraseTitle: "Apagar os dados de {name}?",
  erasesIdentity: "Nome, nome de usuário e e-mail são trocados por um texto fixo (“Former colleague”) em todo lugar.",
  erasesProfile:
    "Foto, bio, aniversário, primeiro dia e sessões são excluídos, e também os endereços IP de onde a pessoa entrou.",
  keepsTransactions: "As transações ficam, sem o nome da pessoa.",
  keepsPoints: "As transações ficam, sem o nome da pessoa, e também o saldo restante: {points}.",
  reasons: "Motivos e respostas",
  reasonsOf: {
    none: "Manter todos",
    written: "Apagar o que {name} escreveu",
    all: "Apagar também os motivos pelos quais outras pessoas agradeceram a {name}",
  },
  eraseFinal: "Isto não pode ser desfeito. Backups anteriores ainda contêm tudo.",
  typeUsername: "Para confirmar, digite o nome de usuário: {username}",
  wrongUsername: "Digite “{username}”.",
  eraseConfirm: "Apagar de vez",
  erased: "Os dados de {name} foram apagados.",
}

export const accountsTexts: AccountsTexts = {
  leaving,
}
