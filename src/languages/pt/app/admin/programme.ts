import type * as en from "../../../en/app/admin/programme.ts"

export const programme: typeof en.programme = {
  title: "Programa",
  lead: "O que você decide aqui vale em um segundo, para todo mundo: no aplicativo, nos chats e em outros programas. Cada mudança fica no registro de auditoria.",
  usual: "Padrão: {value}",
  nothing: "nada",
  save: "Salvar",
  saved: "Salvo. Vale a partir de agora.",
  unsaved: "Ainda não salvo.",
  conflict: "Outra pessoa mudou isto enquanto isso. O que está salvo agora:",
  theirs: "Usar o que está salvo",
  mine: "Trocar pelo meu",
  wholeNumber: "Digite um número inteiro.",
  wholeNumbers: "Digite números inteiros, separados por vírgulas.",
  noAmount: "Digite um valor, como 0,05.",
  noCurrency: "Digite o código de uma moeda, como BRL.",
  parts: {
    giving: { title: "Dar", lead: "O que o aplicativo oferece para dar e o que ele pede." },
    tags: { title: "Tags", lead: "Pelo que se pode agradecer, por exemplo os valores da empresa." },
    shown: { title: "O que as pessoas veem", lead: "Superusuários veem tudo, menos uma classificação desligada." },
    occasions: {
      title: "Datas especiais",
      lead: "Comemoradas no Início às nove da manhã: aniversários de quem concordou, o resto a menos que alguém tenha recusado.",
    },
    worth: { title: "Quanto vale 1 {unit}", lead: "Só para os números do financeiro nos indicadores." },
  },
  settings: {
    amounts: {
      label: "Valores oferecidos",
      hint: "De um a oito, separados por vírgulas. Ainda se pode digitar qualquer outro valor.",
    },
    reason: {
      label: "Motivo",
      hint: "Se é preciso dizer o motivo.",
      options: { optional: "Opcional", required: "Obrigatório" },
    },
    reason_min: {
      label: "Motivo mais curto",
      hint: "Quantos caracteres um motivo tem no mínimo, até 500. 0 aceita qualquer tamanho.",
    },
    "most_to_one.points": {
      label: "Máximo para uma pessoa",
      hint: "Quanto uma pessoa pode dar a outra em {units} no período abaixo. Deixe vazio para não limitar.",
    },
    "most_to_one.period": {
      label: "Período deste limite",
      hint: "Recomeça a cada semana, mês ou trimestre do calendário.",
      options: { week: "Semana", month: "Mês", quarter: "Trimestre" },
    },
    give_from: {
      label: "Dar de onde",
      hint: "Se as pessoas podem dar o que ganharam. Só com a verba, o que ganharam fica para os prêmios.",
      options: { balance: "Da verba, depois do que ganharam", budget: "Só da verba" },
    },
    tag: {
      label: "Tag",
      hint: "Se é preciso escolher ao menos uma tag.",
      options: { optional: "Opcional", required: "Obrigatória" },
    },
    tags: {
      label: "Lista de tags",
      hint: "Nesta ordem. Uma tag removida continua no que já foi dado.",
    },
    "points_name.one": {
      label: "Nome no singular",
      hint: "Como vocês chamam uma unidade só. O padrão é traduzido; qualquer outro nome vale em todos os idiomas.",
    },
    "points_name.many": {
      label: "Nome no plural",
      hint: "O mesmo no plural.",
    },
    amounts_shown: {
      label: "Valores",
      hint: "Quem vê quanto foi dado: no Início, no mural, nas páginas das pessoas e na classificação.",
      options: { everyone: "Todo mundo", concerned: "Só quem deu ou recebeu" },
    },
    leaderboard: {
      label: "Classificação",
      hint: "Quem vê a classificação.",
      options: { everyone: "Todo mundo", superusers: "Superusuários", off: "Ninguém: ela não existe" },
    },
    "point_value.amount": {
      label: "Valor em dinheiro",
      hint: "Com no máximo seis casas decimais. Deixe vazio para não mostrar dinheiro.",
    },
    "point_value.currency": {
      label: "Moeda",
      hint: "O código dela, como BRL.",
    },
  },
  occasions: {
    on: "sim",
    off: "não",
    birthday: { title: "Aniversários", active: "Comemorar aniversários" },
    anniversary: { title: "Tempo de casa", active: "Comemorar o tempo de casa" },
    first_day: { title: "Primeiros dias", active: "Comemorar primeiros dias" },
    points: "{Units} de presente",
    pointsHint: "0 para nada.",
    text: "O que os colegas leem",
    textHint: "{name} é a pessoa.",
    textHintYears: "{name} é a pessoa, {years} o número de anos.",
  },
  tags: {
    emoji: "Emoji",
    name: "Nome",
    description: "Descrição",
    add: "Adicionar uma tag",
    remove: "Remover a tag {name}",
    up: "Mover a tag {name} para cima",
    none: "Ainda não há tags.",
  },
}
