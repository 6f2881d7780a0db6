/**
 * Preloaded into the executable by `cheapHashes`: a new password costs 1 ms of hashing and not 50. Its hash names the cost that
 * was asked for, so that the server does not replace it. Any other hash, such as one that an earlier release wrote, is
 * checked at its own cost.
 */
const { hash, verify } = Bun.password

Object.assign(Bun.password, {
  async hash(plain: string, { cost }: { readonly cost: number }) {
    const cheap = await hash(plain, { algorithm: "bcrypt", cost: 4 })
    return cheap.replace("$04$", `$${cost}$`)
  },
  verify: async (plain: string, stored: string) =>
    (await verify(plain, stored.replace(/(?<=^\$2b\$)\d\d/, "04"))) || verify(plain, stored),
})
