import { addresses, withQuery } from "./addresses.ts"
import { afterLogin } from "./login-redirect.ts"

interface LoginWays {
  readonly password: boolean
  /** Log-in through a provider. `button` is null where its text is that of the reader's language. */
  readonly oidc: { readonly button: string | null } | null
}

const written = document.querySelector<HTMLMetaElement>('meta[name="login-ways"]')?.content

/** How people log in here; the server writes it into the page. */
export const loginWays = (written ? JSON.parse(written) : { password: true, oidc: null }) as LoginWays

/** The address outside the app that logs in through the provider and leads back to where this page is, or to where it
 *  leads after a log-in. */
export function throughProvider(url: string): string {
  const isLogin = new URL(url, location.origin).pathname === addresses.login
  return withQuery("/oidc/login", { next: isLogin ? afterLogin(url) : url })
}
