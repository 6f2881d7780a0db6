import { computed } from "@preact/signals"
import { programme } from "../session.ts"

/** The amounts on buttons, ascending, as the programme says. */
export const amounts = computed(() => programme.value?.amounts ?? [])
