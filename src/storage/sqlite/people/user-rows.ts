/** Columns of a `User`, of the table `users`. */
export const userColumns = `users.id, email, username, avatar, bio, password, name, dept, currency,
  access_version AS accessVersion, refresh_version AS refreshVersion, kept_token AS keptToken,
  deactivated_at AS deactivatedAt, erased_at AS erasedAt`
