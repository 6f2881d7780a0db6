/** Waits for `wanted`, but at most this long. A failure ends the wait too; nothing is thrown. */
export const atMost = (ms: number, wanted: Promise<unknown>): Promise<unknown> =>
  Promise.race([wanted.catch(() => {}), new Promise((resolve) => setTimeout(resolve, ms))])
