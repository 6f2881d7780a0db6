/**
 * For a text of several lines: Enter submits its form and Shift+Enter starts a new line. On a phone Enter starts a new line,
 * because its keyboard has no Shift+Enter.
 */
export function submitOnEnter(event: KeyboardEvent & { readonly currentTarget: HTMLTextAreaElement }) {
  const isMeant = event.ctrlKey || event.metaKey || (!event.shiftKey && matchMedia("(pointer: fine)").matches)
  if (event.key !== "Enter" || !isMeant) return
  event.preventDefault()
  event.currentTarget.form?.requestSubmit()
}
