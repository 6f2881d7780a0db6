/** An id that no user has. */
export const nobody = 0
