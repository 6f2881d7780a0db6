import type { RefObject } from "preact"
import { useLayoutEffect } from "preact/hooks"

/** The first field of a form is ready to type in. Not on a phone, whose keyboard would hide half of the form. */
export function useFocus(field: RefObject<HTMLElement | null>) {
  useLayoutEffect(() => {
    if (matchMedia("(pointer: fine)").matches) field.current?.focus()
  }, [])
}
