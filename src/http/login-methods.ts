import type { SecretlessConfig } from "../config/settings.ts"

/** The log-in methods of this server, which are public. */
export const loginMethodsOf = ({ login, oidc }: Pick<SecretlessConfig, "login" | "oidc">) => ({
  password: login.password !== "off",
  oidc: oidc.issuer === null ? null : { button: oidc.button },
})

export type LoginMethods = ReturnType<typeof loginMethodsOf>
