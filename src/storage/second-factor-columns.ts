/** The columns of a `SecondFactor`, for both databases. */
export const secondFactorColumns = `id, kind, name, credential_id AS "credentialId", transports, key, counter,
  created_at AS "createdAt", last_used_at AS "lastUsedAt"`
