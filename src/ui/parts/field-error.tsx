/** What is wrong, under its field. It is there before it says something, so that it is read out when it does. */
export function FieldError({ id, text }: { id: string; text: string | null }) {
  return (
    <p id={id} role="alert" class="text-sm text-error empty:hidden">
      {text}
    </p>
  )
}
