/** The amounts on buttons. */
export const amounts = [10, 25, 50, 100] as const
