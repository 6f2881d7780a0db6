import type { Texts } from "./en.ts"
import { admin, health, imports, keys, palette } from "./pt/admin.ts"
import { history } from "./pt/history.ts"
import { feed, give, home, received } from "./pt/home.ts"
import { leaderboard, people, person, profile } from "./pt/people.ts"

/** Português. */
export const pt: Texts = {
  language: "Português",
  noScript: "Esta página precisa de JavaScript. Ative-o para este endereço.",

  ordinals: { other: "#º" },
  points: { one: "# ponto", other: "# pontos" },

  shell: {
    skip: "Ir para o conteúdo",
    navigation: "Principal",
    home: "Início",
    people: "Pessoas",
    history: "Histórico",
    leaderboard: "Classificação",
    wall: "Mural",
    admin: "Admin",
    me: "Meu perfil",
    account: "Conta",
    logOut: "Sair",
    appearance: "Aparência",
    light: "Clara",
    dark: "Escura",
    asDevice: "Sistema",
    language: "Idioma",
  },

  login: {
    title: "Entrar",
    username: "Nome de usuário ou e-mail",
    password: "Senha",
    show: "Mostrar senha",
    hide: "Ocultar senha",
    submit: "Entrar",
    forgot: "Esqueceu a senha?",
    missingUsername: "Digite seu nome de usuário ou e-mail.",
    missingPassword: "Digite sua senha.",
    ended: "Sua sessão terminou. Entre para continuar de onde parou.",
    changed: "Sua senha foi alterada. Entre com a nova.",
    wallKey: "O link deste mural não funciona mais. Peça o novo a quem cuida do servidor, ou entre.",
  },

  forgot: {
    title: "Esqueceu a senha?",
    lead: "Digite seu e-mail e enviaremos um link para você criar uma nova.",
    email: "E-mail",
    submit: "Enviar link",
    missing: "Digite seu e-mail.",
    wrong: "Digite um e-mail completo, como ana@example.com.",
    sentTitle: "Confira seu e-mail",
    sent: "Se houver uma conta com este endereço, um link está a caminho. Ele só pode ser usado uma vez e vale por poucos minutos.",
    again: "Usar outro endereço",
    back: "Voltar para o login",
  },

  reset: {
    title: "Criar uma nova senha",
    password: "Nova senha",
    confirm: "Repita a senha",
    submit: "Salvar senha",
    missing: "Digite uma nova senha.",
    differ: "As senhas não coincidem.",
    spentTitle: "Este link não é mais válido",
    spent: "Um link só pode ser usado uma vez e vale por poucos minutos. Você pode pedir outro.",
    missingTitle: "O link está incompleto",
    missingLink: "Abra de novo o link do e-mail ou peça outro.",
    ask: "Pedir um novo link",
  },

  home,
  give,
  feed,
  received,

  people,
  person,
  profile,
  leaderboard,

  history,
  admin,
  imports,
  health,
  palette,
  keys,

  missing: {
    title: "Página não encontrada",
    text: "Não existe uma página neste endereço.",
    back: "Ir para o início",
  },

  parts: {
    left: "Restam {number} caracteres",
    noneFound: "Ninguém encontrado",
    found: { one: "# encontrado", other: "# encontrados" },
  },

  live: {
    live: "Ao vivo",
    trying: "Conectando",
    down: "Sem conexão desde {time}",
  },

  wall: {
    title: "Mural",
    from: "de",
    empty: "Nenhum reconhecimento ainda",
    invitation: "Agradeça a alguém em {address} e isso aparecerá aqui.",
    fullScreen: "Tela cheia",
    leaveFullScreen: "Sair da tela cheia",
    back: "Voltar",
  },

  failures: {
    unreachable: "Não foi possível acessar o servidor. Nada foi alterado; tente de novo.",
    broken: "Algo deu errado no servidor. Tente de novo; se o problema continuar, avise quem cuida dele.",
    screenTitle: "Não carregou",
    screen: "Não foi possível carregar esta página.",
    screenWaits: "Ela será carregada assim que o servidor responder.",
    unloaded: "Não foi possível acessar o servidor. Isto será carregado assim que ele responder.",
    locked: "Sua sessão terminou. Isto será carregado depois que você entrar.",
    part: "Não foi possível carregar isto. Recarregue a página quando o servidor responder.",
    retry: "Tentar de novo",
    wait: "Tente de novo em {time}.",
  },

  details: {
    "Invalid Session ID": "Sua sessão tinha terminado e nada foi enviado. Envie de novo.",
    "Could not validate credentials": "Sua sessão tinha terminado e nada foi enviado. Envie de novo.",
    "Incorrect username or password": "Nome de usuário ou senha incorretos",
    "Passwords do not match": "As senhas não coincidem",
    "password: none of the most common passwords": "Esta senha é uma das mais comuns. Escolha outra.",
    "Too many passwords are being checked; try again in a moment": "Muitas senhas estão sendo verificadas.",
    "Insufficient balance": "Saldo insuficiente",
    "User not found": "Usuário não encontrado",
    "Username already taken": "Este nome de usuário já existe",
    "Username looks like one that is already taken": "Este nome de usuário se parece com um que já existe",
    "Name looks like another person's": "Este nome se parece com o de outra pessoa",
    "name: 1 to 100 visible characters on one line": "De 1 a 100 caracteres visíveis, em uma linha",
    "bio: text of at most 2000 visible characters; line breaks are kept":
      "Texto de até 2000 caracteres visíveis; quebras de linha são mantidas",
    "reason: text of at most 500 visible characters; line breaks are kept":
      "Texto de até 500 caracteres visíveis; quebras de linha são mantidas",
    "email: one plain address of at most 254 characters": "Um endereço simples de até 254 caracteres",
    "dept: admin stays in management": "admin precisa ficar em management",
    "Too many failed logins for this account from this address": "Muitas tentativas de entrar sem sucesso.",
  },
}
