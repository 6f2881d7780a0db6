/** `node:net`, loaded on first use: it takes 2 ms, and a server with default settings starts without it. */
export const net = () => process.getBuiltinModule("node:net")
