import type { AccountsTexts } from "../en/accounts.ts"

const leaving: AccountsTexts["leaving"] = {
  title: "Cuando esta persona se va",
  lead: "Una cuenta desactivada ya no se puede usar. Puedes reactivarla o borrar lo que está guardado sobre la persona.",
  leadWithoutErasure: "Una cuenta desactivada ya no se puede usar. Puedes reactivarla.",
  titleInactive: "Esta cuenta está desactivada",
  leadInactive:
    "Nadie puede iniciar sesión con ella, y no aparece en listas ni clasificaciones. Su historial se queda.",
  isErased: "Esta cuenta se ha borrado. Solo quedan sus transacciones, con este nombre de sustitución.",
  deactivatedSince: "Desactivada",
  deactivate: "Desactivar",
  deactivateTitle: "¿Desactivar a {name}?",
  endsAccess: "Todas las sesiones terminan al momento y ya no se puede iniciar sesión.",
  leavesLists: "La cuenta desaparece de búsquedas, listas y clasificaciones en curso, y no recibe correo.",
  keepsHistory: "El historial se queda, y puedes reactivar la cuenta más adelante.",
  returnLeft: "Devolver a Admin los {points} que quedan",
  returnLeftLead: "El historial lo muestra como una devolución. Reactivar la cuenta no trae de vuelta los {units}.",
  keepLeftLead: "Si no, se quedan en la cuenta y nadie puede usarlos mientras siga desactivada.",
  deactivated: "Se ha desactivado a {name}.",
  deactivatedReturned: "Se ha desactivado a {name}. Lo que quedaba ha vuelto a Admin.",
  reactivate: "Reactivar",
  reactivateTitle: "¿Reactivar a {name}?",
  reactivateLead:
    "Se puede volver a iniciar sesión, con la contraseña de antes. Las sesiones anteriores siguen terminadas.",
  reactivated: "{name} puede volver a iniciar sesión.",
  returnPoints: "Devolver {units}",
  returnTitle: "¿Devolver {points} a Admin?",
  returned: "{points} de {name} han vuelto a Admin.",
  erase: "Borrar",
  eraseTitle: "¿Borrar a {name}?",
  erasesIdentity: "El nombre, el nombre de usuario y el correo se sustituyen en todas partes («Former colleague»).",
  erasesProfile:
    "Se borran la imagen, la biografía, el cumpleaños, el primer día y las sesiones, y también las direcciones IP de inicios de sesión anteriores.",
  keepsTransactions: "Las transacciones se quedan, con el nombre de sustitución.",
  keepsPoints: "Las transacciones se quedan, con el nombre de sustitución, y también los {points} que quedan.",
  reasons: "Motivos y respuestas",
  reasonsOf: {
    none: "Conservarlos todos",
    written: "Borrar lo que escribió {name}",
    all: "Borrar también los motivos por los que otros dieron las gracias a {name}",
  },
  eraseFinal: "No se puede deshacer. Las copias de seguridad anteriores siguen teniéndolo todo.",
  typeUsername: "Para confirmar, escribe el nombre de usuario: {username}",
  wrongUsername: "Escribe «{username}».",
  eraseConfirm: "Borrar para siempre",
  erased: "Se ha borrado a {name}.",
}

export const accountsTexts: AccountsTexts = {
  leaving,
}
