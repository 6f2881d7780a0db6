export const needed = {
  anyDuty: "You need a duty for this",
  duty: "You need the duty “{duty}”",
  superuser: "Only superusers can open this",
  ask: "Superusers give duties. Ask {names}.",
  askSuperuser: "Ask {names}.",
}
