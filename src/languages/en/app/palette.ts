export const palette = {
  open: "Search or jump to…",
  search: "Search",
  none: "Nothing found",
  label: "Search people, screens and actions",
  screens: "Go to",
  people: "People",
  actions: "Actions",
  give: "Give {units}",
}
