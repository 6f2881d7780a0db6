import type * as en from "../../../en/app/admin/import.ts"

export const imports: typeof en.imports = {
  title: "Importar de um arquivo",
  lead: "Um arquivo CSV cuja primeira linha dá nome às colunas: name, email e dept e, opcionalmente, username, currency, avatar, bio, birthday (MM-DD), joined (o primeiro dia, AAAA-MM-DD), manager (nome de usuário ou e-mail) e active (yes ou no). Nomes usuais, como E-mail ou Departamento, também servem. Quem já existe é atualizado; senhas e {units} nunca mudam.",
  choose: "Escolher um arquivo",
  drop: "Ou solte-o aqui. Primeiro ele é verificado; nada muda ainda.",
  chooseAgain: "Escolha outro arquivo, ou o mesmo depois de corrigi-lo",
  new: { one: "# pessoa nova", other: "# pessoas novas" },
  changed: { one: "# alterada", other: "# alteradas" },
  unchanged: { one: "# sem alteração", other: "# sem alteração" },
  newDepartments: { one: "Novo departamento:", other: "Novos departamentos:" },
  deactivated: { one: "# pessoa será desativada", other: "# pessoas serão desativadas" },
  deactivatedLead:
    "As sessões são encerradas na hora e não é mais possível entrar. Ficam o histórico e o saldo de {units}.",
  reactivated: { one: "# pessoa será reativada", other: "# pessoas serão reativadas" },
  reactivatedLead: "Volta a ser possível entrar, com a senha de antes.",
  nothingNew: "Todas as pessoas deste arquivo já estão aqui com os mesmos dados. Não há nada a fazer.",
  faults: { one: "# problema encontrado.", other: "# problemas encontrados." },
  nothingDone: "Nada é importado enquanto o arquivo inteiro não estiver correto.",
  row: "Linha",
  column: "Coluna",
  fault: "Problema",
  more: { one: "e mais #", other: "e mais #" },
  invite: "Convidar as pessoas novas por e-mail",
  inviteLead: "Cada uma recebe um link para escolher uma senha. Ele vale por sete dias.",
  submit: "Importar",
  done: "Importado: {counts}.",
  invited: "Os convites estão a caminho.",
  toPeople: "Ver as pessoas",
  /** Invites people who never logged in. */
  again: {
    title: "Convidar de novo",
    lead: "Quem nunca entrou recebe um novo link, que vale por sete dias. Os links anteriores continuam valendo até o fim.",
    submit: "Convidar quem nunca entrou",
    done: { one: "# convite está a caminho.", other: "# convites estão a caminho." },
  },
}
