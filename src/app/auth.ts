import { dutyOfGroup } from "../config/kinds.ts"
import { providedSessionSeconds } from "../config/rules.ts"
import { defaultAdminPassword } from "../config/settings.ts"
import { createAccess } from "../domain/auth/access.ts"
import { createApiTokens } from "../domain/auth/api-tokens.ts"
import { createInvitations } from "../domain/auth/invitations.ts"
import { createLogins } from "../domain/auth/logins.ts"
import { createMailQueue } from "../domain/auth/mail-queue.ts"
import { createInitialPassword, createPasswords } from "../domain/auth/passwords.ts"
import { createSecondFactors } from "../domain/auth/second-factors.ts"
import { createSessions } from "../domain/auth/sessions.ts"
import { createSingleSignOn } from "../domain/auth/single-sign-on.ts"
import { createLoginSources } from "../domain/auth/sources.ts"
import { createTokens } from "../domain/auth/tokens.ts"
import { createWriteLimit } from "../domain/auth/write-limit.ts"
import { dutyNames } from "../domain/people/model.ts"
import type { Users } from "../domain/people/users.ts"
import { createFlows } from "../integrations/oidc/flow.ts"
import { isCommonPassword } from "../security/common-passwords.ts"
import { createTokenCodec } from "../security/jwt.ts"
import { createOneTimeCodes } from "../security/one-time-codes.ts"
import { createPasskeys } from "../security/passkeys.ts"
import type { Shared } from "./shared.ts"

type Auth = ReturnType<typeof wireAuth>

export function wireAuth(shared: Shared) {
  const { config, store, clock, log, calendar, secret, address, hashing, rateLimiter, makeOnce, mailJobs, auditLog } =
    shared
  const { security, service, session, login, limits, server, stream } = config

  const passwords = createPasswords({
    store,
    hashing,
    rateLimiter,
    clock,
    minLength: security.password_min_length,
    isCommon: server.profile === "production" ? isCommonPassword : null,
    mailJobs,
    resetLifetimeMs: security.reset_token_expire_minutes * 60_000,
    maxMails: limits.reset_mails,
    onHeldBack: (address) =>
      log.warn("a password-reset mail was not sent: too many to this person or from this address", { address }),
  })
  const initialPasswordOf = createInitialPassword({
    hashing,
    initial: { default: defaultAdminPassword, configured: security.admin_password },
  })
  const tokens = createTokens({
    store,
    codec: createTokenCodec(secret, clock),
    clock,
    lifetimeMinutes: {
      access_token: security.access_token_expire_minutes,
      refresh_token: security.refresh_token_expire_minutes,
      pwd_reset: security.reset_token_expire_minutes,
    },
  })
  const secondFactors = createSecondFactors({
    store,
    tokens,
    passkeys: createPasskeys({ address, serviceName: service.name }),
    codes: createOneTimeCodes({ secret, serviceName: service.name }),
    clock,
    required: login.second_factor,
    passwordLogin: login.password,
    mailJobs,
  })
  const sessions = createSessions({
    store,
    clock,
    expireSeconds: session.expire_seconds,
    providedSeconds: providedSessionSeconds(config),
  })
  const loginSources = createLoginSources({ store, clock })
  const logins = createLogins({
    store,
    hashing,
    rateLimiter,
    maxFailures: limits.login_failures,
    passwordLogin: login.password,
    loginSources,
    auditLog,
    secondFactors,
  })
  const apiTokens = createApiTokens({ store, clock, makeOnce, calendar })
  const access = createAccess({
    store,
    clock,
    tokens,
    sessions,
    apiTokens,
    secondFactors,
    stream,
    passwordLogin: login.password,
  })
  const countWrite = createWriteLimit({ rateLimiter, perMinute: limits.writes_per_minute })
  return {
    mailQueue: createMailQueue({ store, clock, mailJobs, maxAttempts: config.jobs.max_attempts }),
    invitations: createInvitations({
      store,
      clock,
      mailJobs,
      tokens,
      passwordLogin: login.password,
      isTrial: config.email.debug_mode,
      resetUrl: () => security.pwd_reset_url.replace("{base_url}", () => address.url),
      loginUrl: () => `${address.url}/login`,
    }),
    passwords,
    initialPasswordOf,
    tokens,
    secondFactors,
    sessions,
    loginSources,
    logins,
    apiTokens,
    access,
    countWrite,
  }
}

/** Log-in through a provider may create the account. */
export function wireSingleSignOn(
  { config, store, clock, log, secret, rateLimiter, auditLog }: Shared,
  { loginSources, sessions }: Pick<Auth, "loginSources" | "sessions">,
  { users }: { users: Users },
) {
  const given = config.oidc.duty_groups.map(dutyOfGroup)
  const named = dutyNames.map((duty) => ({ group: duty, duty }))
  const duties = new Map((given.length > 0 ? given : named).map(({ group, duty }) => [group, duty]))
  const singleSignOn = createSingleSignOn({
    store,
    sessions,
    users,
    clock,
    rateLimiter,
    loginSources,
    auditLog,
    maxFailures: config.limits.login_failures,
    provisions: config.oidc.provision,
    defaultDept: config.oidc.default_department,
    followsProfile: config.oidc.follow_profile,
    dutyOf: (group) => duties.get(group),
    onNotFollowed: (reason) => log.warn("a profile at the provider was not taken over", { reason }),
  })
  return { singleSignOn, flows: createFlows({ secret, clock }) }
}
