import type * as en from "../../../en/app/admin/programme.ts"

export const programme: typeof en.programme = {
  title: "Programm",
  lead: "Was du hier entscheidest, gilt nach einer Sekunde für alle: in der App, in Chats und für andere Programme. Jede Änderung steht im Prüfprotokoll.",
  usual: "Voreinstellung: {value}",
  nothing: "nichts",
  save: "Speichern",
  saved: "Gespeichert. Es gilt ab jetzt.",
  unsaved: "Noch nicht gespeichert.",
  conflict: "Jemand anderes hat das inzwischen geändert. Gespeichert ist jetzt:",
  theirs: "Das Gespeicherte verwenden",
  mine: "Durch meines ersetzen",
  wholeNumber: "Gib eine ganze Zahl ein.",
  wholeNumbers: "Gib ganze Zahlen ein, durch Kommas getrennt.",
  noAmount: "Gib einen Betrag ein, wie 0.05.",
  noCurrency: "Gib das Kürzel einer Währung ein, wie EUR.",
  parts: {
    giving: { title: "Geben", lead: "Was die App zum Geben anbietet und wonach sie fragt." },
    tags: { title: "Schlagwörter", lead: "Wofür gedankt werden kann, zum Beispiel die Werte eurer Firma." },
    shown: { title: "Was alle sehen", lead: "Superuser sehen alles, außer einer abgeschalteten Rangliste." },
    occasions: {
      title: "Anlässe",
      lead: "Um neun Uhr morgens auf dem Start gefeiert: Geburtstage derer, die zugestimmt haben, alles andere, wenn niemand abgelehnt hat.",
    },
    worth: { title: "Was ein {unit} wert ist", lead: "Nur für die Zahlen der Buchhaltung in der Auswertung." },
  },
  settings: {
    amounts: {
      label: "Angebotene Beträge",
      hint: "Einer bis acht, durch Kommas getrennt. Jeder andere Betrag lässt sich trotzdem eingeben.",
    },
    reason: {
      label: "Begründung",
      hint: "Ob man sagen muss, wofür man gibt.",
      options: { optional: "Freiwillig", required: "Verpflichtend" },
    },
    reason_min: {
      label: "Kürzeste Begründung",
      hint: "Wie viele Zeichen eine Begründung mindestens hat, bis 500. 0 erlaubt jede Länge.",
    },
    "most_to_one.points": {
      label: "Höchstens an eine Person",
      hint: "Wie viele {units} eine Person einer anderen im Zeitraum darunter geben kann. Leer: keine Grenze.",
    },
    "most_to_one.period": {
      label: "Zeitraum dieser Grenze",
      hint: "Er beginnt neu mit jeder Woche, jedem Monat oder Quartal des Kalenders.",
      options: { week: "Woche", month: "Monat", quarter: "Quartal" },
    },
    give_from: {
      label: "Geben aus",
      hint: "Ob man weitergeben kann, was man verdient hat. Nur mit dem Budget bleibt es für Prämien.",
      options: { balance: "Budget, dann Verdientes", budget: "Nur Budget" },
    },
    tag: {
      label: "Schlagwort",
      hint: "Ob man mindestens ein Schlagwort wählen muss.",
      options: { optional: "Freiwillig", required: "Verpflichtend" },
    },
    tags: {
      label: "Liste der Schlagwörter",
      hint: "In dieser Reihenfolge. Ein entferntes Schlagwort bleibt an dem, was schon gegeben wurde.",
    },
    "points_name.one": {
      label: "Name in der Einzahl",
      hint: "Wie ihr einen einzelnen nennt. Die Voreinstellung wird übersetzt; jeder andere Name gilt in allen Sprachen.",
    },
    "points_name.many": {
      label: "Name in der Mehrzahl",
      hint: "Dasselbe für mehrere.",
    },
    amounts_shown: {
      label: "Beträge",
      hint: "Wer sieht, wie viel gegeben wurde: auf dem Start, an der Wand, auf den Seiten der Personen und in Ranglisten.",
      options: { everyone: "Alle", concerned: "Nur wer gegeben oder bekommen hat" },
    },
    leaderboard: {
      label: "Rangliste",
      hint: "Wer die Rangliste sieht.",
      options: { everyone: "Alle", superusers: "Superuser", off: "Niemand: es gibt keine" },
    },
    "point_value.amount": {
      label: "Geldbetrag",
      hint: "Mit höchstens sechs Nachkommastellen. Leer: kein Geld wird gezeigt.",
    },
    "point_value.currency": {
      label: "Währung",
      hint: "Ihr Kürzel, wie EUR.",
    },
  },
  occasions: {
    on: "ja",
    off: "nein",
    birthday: { title: "Geburtstage", active: "Geburtstage feiern" },
    anniversary: { title: "Jubiläen", active: "Jubiläen feiern" },
    first_day: { title: "Erste Tage", active: "Erste Tage feiern" },
    points: "{Units} als Geschenk",
    pointsHint: "0 für keine.",
    text: "Was die anderen lesen",
    textHint: "{name} steht für die Person.",
    textHintYears: "{name} steht für die Person, {years} für die Zahl der Jahre.",
  },
  tags: {
    emoji: "Emoji",
    name: "Name",
    description: "Beschreibung",
    add: "Schlagwort hinzufügen",
    remove: "Schlagwort {name} entfernen",
    up: "Schlagwort {name} nach oben",
    none: "Es gibt noch keine Schlagwörter.",
  },
}
