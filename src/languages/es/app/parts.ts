import type * as en from "../../en/app/parts.ts"

export const parts: typeof en.parts = {
  cancel: "Cancelar",
  close: "Cerrar",
  withoutPerson: "quitar {name}",
  left: "quedan {number} caracteres",
  noneFound: "No se ha encontrado a nadie",
  found: { one: "# encontrado", other: "# encontrados" },
}

export const missing: typeof en.missing = {
  title: "Página no encontrada",
  text: "No hay ninguna página en esta dirección.",
  back: "Ir al inicio",
}

export const live: typeof en.live = {
  live: "En directo",
  trying: "Conectando",
  down: "Sin conexión desde {time}",
}

export const failures: typeof en.failures = {
  unreachable: "No se puede llegar al servidor. Inténtalo dentro de un momento.",
  broken: "Algo ha fallado en el servidor. Inténtalo de nuevo; si sigue pasando, avisa a quien lo cuida.",
  screenTitle: "No se ha cargado",
  screen: "No se ha podido cargar esta página.",
  screenWaits: "Se cargará sola en cuanto se pueda llegar al servidor.",
  unloaded: "No se puede llegar al servidor. Se cargará solo en cuanto se pueda.",
  locked: "Tu sesión ha terminado. Se cargará cuando hayas entrado.",
  part: "No se ha podido cargar. Recarga la página cuando se pueda llegar al servidor.",
  retry: "Intentar de nuevo",
  wait: "Inténtalo de nuevo dentro de {time}.",
}
