import type * as en from "../../en/app/wall.ts"

export const wall: typeof en.wall = {
  title: "Mural",
  from: "de",
  empty: "Nenhum reconhecimento ainda",
  invitation: "Agradeça a alguém em {address} e isso aparecerá aqui.",
  qrCode: "Código QR deste aplicativo",
  week: "Esta semana",
  weekEmpty: "Nenhum agradecimento ainda. Quem ajudou você?",
  thanks: { one: "# agradecimento", other: "# agradecimentos" },
  keyMissing: "Este mural precisa da sua chave",
  keyEnded: "A chave deste mural não funciona mais",
  keyHow:
    "Peça a quem cuida do servidor o link do mural, com a chave da configuração stream.wall_key, e abra-o aqui uma vez:",
  logIn: "Ou entre",
  fullScreen: "Tela cheia",
  leaveFullScreen: "Sair da tela cheia",
  back: "Voltar",
}
