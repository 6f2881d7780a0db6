import type * as en from "../../../en/app/admin/programme.ts"

export const programme: typeof en.programme = {
  title: "Programa",
  lead: "Lo que decidas aquí vale al cabo de un segundo, para todos: en la aplicación, en los chats y para otros programas. Cada cambio queda en el registro de auditoría.",
  usual: "Por defecto: {value}",
  nothing: "nada",
  save: "Guardar",
  saved: "Guardado. Vale desde ahora.",
  unsaved: "Todavía sin guardar.",
  conflict: "Otra persona lo ha cambiado mientras tanto. Ahora está guardado:",
  theirs: "Usar lo guardado",
  mine: "Sustituirlo por lo mío",
  wholeNumber: "Escribe un número entero.",
  wholeNumbers: "Escribe números enteros, separados por comas.",
  noAmount: "Escribe una cantidad, como 0.05.",
  noCurrency: "Escribe el código de una moneda, como EUR.",
  parts: {
    giving: { title: "Dar", lead: "Lo que la aplicación ofrece dar, y lo que pide." },
    tags: { title: "Etiquetas", lead: "Por qué se pueden dar las gracias, como los valores de tu empresa." },
    shown: { title: "Lo que ve la gente", lead: "Los superusuarios lo ven todo, salvo una clasificación apagada." },
    occasions: {
      title: "Celebraciones",
      lead: "Se celebran en Inicio a las nueve de la mañana: los cumpleaños de quienes aceptaron, y lo demás salvo que alguien lo rechazara.",
    },
    worth: { title: "Cuánto vale un {unit}", lead: "Solo para las cifras de finanzas en el análisis." },
  },
  settings: {
    amounts: {
      label: "Cantidades que se ofrecen",
      hint: "De una a ocho, separadas por comas. Se puede escribir cualquier otra cantidad.",
    },
    reason: {
      label: "Motivo",
      hint: "Si hay que decir por qué se da.",
      options: { optional: "Opcional", required: "Obligatorio" },
    },
    reason_min: {
      label: "Motivo más corto",
      hint: "Cuántos caracteres tiene un motivo como mínimo, hasta 500. Con 0 vale cualquier longitud.",
    },
    "most_to_one.points": {
      label: "Máximo a una persona",
      hint: "Cuántos {units} puede dar una persona a otra en el periodo de abajo. Vacío: sin límite.",
    },
    "most_to_one.period": {
      label: "Periodo de este límite",
      hint: "Empieza de nuevo con cada semana, mes o trimestre del calendario.",
      options: { week: "Semana", month: "Mes", quarter: "Trimestre" },
    },
    give_from: {
      label: "Dar de",
      hint: "Si se puede dar lo que se ha ganado. Solo con el presupuesto, se guarda para premios.",
      options: { balance: "Presupuesto, y luego lo ganado", budget: "Solo presupuesto" },
    },
    tag: {
      label: "Etiqueta",
      hint: "Si hay que elegir al menos una etiqueta.",
      options: { optional: "Opcional", required: "Obligatoria" },
    },
    tags: {
      label: "Lista de etiquetas",
      hint: "En este orden. Una etiqueta que quites se queda en lo que ya se dio.",
    },
    "points_name.one": {
      label: "Nombre de uno",
      hint: "Cómo llamáis a uno solo. El nombre por defecto se traduce; cualquier otro se usa en todos los idiomas.",
    },
    "points_name.many": {
      label: "Nombre de varios",
      hint: "Lo mismo para varios.",
    },
    amounts_shown: {
      label: "Cantidades",
      hint: "Quién ve cuánto se dio: en Inicio, en el muro, en las páginas de las personas y en las clasificaciones.",
      options: { everyone: "Todos", concerned: "Solo quien dio o recibió" },
    },
    leaderboard: {
      label: "Clasificación",
      hint: "Quién ve la clasificación.",
      options: { everyone: "Todos", superusers: "Superusuarios", off: "Nadie: no hay" },
    },
    "point_value.amount": {
      label: "Cantidad de dinero",
      hint: "Con seis decimales como máximo. Vacío: no se muestra dinero.",
    },
    "point_value.currency": {
      label: "Moneda",
      hint: "Su código, como EUR.",
    },
  },
  occasions: {
    on: "sí",
    off: "no",
    birthday: { title: "Cumpleaños", active: "Celebrar los cumpleaños" },
    anniversary: { title: "Aniversarios", active: "Celebrar los aniversarios" },
    first_day: { title: "Primeros días", active: "Celebrar los primeros días" },
    points: "{Units} de regalo",
    pointsHint: "0 para ninguno.",
    text: "Lo que leen los demás",
    textHint: "{name} es la persona.",
    textHintYears: "{name} es la persona, {years} el número de años.",
  },
  tags: {
    emoji: "Emoji",
    name: "Nombre",
    description: "Descripción",
    add: "Añadir una etiqueta",
    remove: "Quitar la etiqueta {name}",
    up: "Subir la etiqueta {name}",
    none: "Todavía no hay etiquetas.",
  },
}
