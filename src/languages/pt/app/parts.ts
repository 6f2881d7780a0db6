import type * as en from "../../en/app/parts.ts"

export const parts: typeof en.parts = {
  cancel: "Cancelar",
  close: "Fechar",
  withoutPerson: "remover {name}",
  left: "Restam {number} caracteres",
  noneFound: "Ninguém encontrado",
  found: { one: "# encontrado", other: "# encontrados" },
}

export const missing: typeof en.missing = {
  title: "Página não encontrada",
  text: "Não existe uma página neste endereço.",
  back: "Ir para o início",
}

export const live: typeof en.live = {
  live: "Ao vivo",
  trying: "Conectando",
  down: "Sem conexão desde {time}",
}

export const failures: typeof en.failures = {
  unreachable: "Não foi possível acessar o servidor. Tente de novo daqui a pouco.",
  broken: "Algo deu errado no servidor. Tente de novo; se o problema continuar, avise quem cuida dele.",
  screenTitle: "Não carregou",
  screen: "Não foi possível carregar esta página.",
  screenWaits: "Ela será carregada assim que o servidor responder.",
  unloaded: "Não foi possível acessar o servidor. Isto será carregado assim que ele responder.",
  locked: "Sua sessão terminou. Isto será carregado depois que você entrar.",
  part: "Não foi possível carregar isto. Recarregue a página quando o servidor responder.",
  retry: "Tentar de novo",
  wait: "Tente de novo em {time}.",
}
