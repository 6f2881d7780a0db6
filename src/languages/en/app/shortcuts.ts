export const keys = {
  title: "Keyboard shortcuts",
  palette: "Search or jump to anything",
  give: "Give {units}",
  sheet: "Keyboard shortcuts",
  close: "Close what is open",
  between: "then",
  done: "Close",
}
