/** Whether this browser supports passkeys and can parse the server's options from JSON. */
export const canUsePasskeys = "PublicKeyCredential" in window && "parseCreationOptionsFromJSON" in PublicKeyCredential

/** Asks the browser for a new passkey; null when the person cancels. */
export const createPasskey = (options: object): Promise<object | null> =>
  orNull(async () => {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
      options as PublicKeyCredentialCreationOptionsJSON,
    )
    return navigator.credentials.create({ publicKey })
  })

/** Asks the browser to sign with a passkey; null when the person cancels, or this device has no suitable passkey. */
export const signWithPasskey = (options: object): Promise<object | null> =>
  orNull(async () => {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options as PublicKeyCredentialRequestOptionsJSON)
    return navigator.credentials.get({ publicKey })
  })

/** Null after any error: the browser throws the same one for all reasons, so that a page cannot tell them apart. */
async function orNull(ask: () => Promise<Credential | null>): Promise<object | null> {
  try {
    const credential = await ask()
    return credential instanceof PublicKeyCredential ? credential.toJSON() : null
  } catch {
    return null
  }
}
