/** `node:net`, loaded on first use: it takes 2 ms, and a server with default settings starts without it. */
export const net = () => process.getBuiltinModule("node:net")

/** Whether only this machine can reach a server on `host`: a name, or an address with or without brackets. */
export const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || host === "[::1]" || /^127(\.\d{1,3}){3}$/.test(host)
