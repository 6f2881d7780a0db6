/** How far the provider's clock may differ from this machine's. */
export const clockToleranceSeconds = 60
/** The limit of OpenID Connect for `sub`. */
export const maxSubjectLength = 255
