import type { SecretlessConfig } from "../config/settings.ts"

/** How people log in here, as everybody may know. */
export const loginWaysOf = ({ login, oidc }: Pick<SecretlessConfig, "login" | "oidc">) => ({
  password: login.password !== "off",
  oidc: oidc.issuer === null ? null : { button: oidc.button },
})

export type LoginWays = ReturnType<typeof loginWaysOf>
