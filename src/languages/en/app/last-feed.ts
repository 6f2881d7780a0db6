export const offline = {
  title: "What you saw last",
  old: "What {name} saw ({time}). Without a connection you can only read.",
}
