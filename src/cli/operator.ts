import type { Actor } from "../domain/auth/roles.ts"
import type { Surroundings } from "./surroundings.ts"

export interface Operator extends Actor {
  readonly who: string
}

/** Whoever types, as the audit log names them: behind sudo, and from another machine, as those programs tell. */
export const operatorOf = ({ env, user }: Pick<Surroundings, "env" | "user">): Operator => ({
  user: null,
  who: env.SUDO_USER || user,
  way: "command line",
  address: env.SSH_CONNECTION?.split(" ")[0] || null,
})
