import type * as en from "../../../en/app/admin/needed.ts"

export const needed: typeof en.needed = {
  anyDuty: "Você precisa de uma função",
  duty: "Você precisa da função “{duty}”",
  superuser: "Só superusuários podem abrir esta página",
  ask: "Superusuários atribuem as funções. Fale com {names}.",
  askSuperuser: "Fale com {names}.",
}
