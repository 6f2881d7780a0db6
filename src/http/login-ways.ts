import type { SecretlessConfig } from "../config/settings.ts"

/** The ways to log in to this server, which are public. */
export const loginWaysOf = ({ login, oidc }: Pick<SecretlessConfig, "login" | "oidc">) => ({
  password: login.password !== "off",
  oidc: oidc.issuer === null ? null : { button: oidc.button },
})

export type LoginWays = ReturnType<typeof loginWaysOf>
