import type { SecretlessConfig } from "../config/settings.ts"

/** The ways to log in here. Everybody may know them. */
export const loginWaysOf = ({ login, oidc }: Pick<SecretlessConfig, "login" | "oidc">) => ({
  password: login.password !== "off",
  oidc: oidc.issuer === null ? null : { button: oidc.button },
})

export type LoginWays = ReturnType<typeof loginWaysOf>
