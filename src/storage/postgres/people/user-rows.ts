/** Columns of users `u`, named as the fields of a `User`. */
export const userColumns = `u.id, u.email, u.username, u.name, u.dept, u.currency, u.avatar, u.bio, u.password,
  u.access_version AS "accessVersion", u.refresh_version AS "refreshVersion",
  u.kept_token AS "keptToken", u.deactivated_at AS "deactivatedAt", u.erased_at AS "erasedAt"`
