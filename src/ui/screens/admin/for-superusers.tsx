import type { ScreenComponent } from "../../screens.ts"
import { me } from "../../session.ts"
import { Missing } from "../missing/missing.tsx"

/** A screen of the administration: for others than superusers nothing is here, and the server is not asked. */
export function forSuperusers(Screen: ScreenComponent): ScreenComponent {
  const Guarded: ScreenComponent = () => (me.value?.role === "superuser" ? <Screen /> : <Missing />)
  Guarded.ahead = async (place, member) => member.role === "superuser" && Screen.ahead?.(place, member)
  return Guarded
}
