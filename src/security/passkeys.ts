import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server"
import type { SecondFactor } from "../domain/auth/model.ts"
import type { Passkeys } from "../domain/auth/second-factors.ts"

interface PasskeyOptions {
  /** Where users reach this server. */
  readonly address: { readonly url: string }
  /** Shown by the browser. */
  readonly serviceName: string
}

/** Matches IP addresses: in a URL, an IPv4 address always has dots, and an IPv6 address brackets. */
const isAddress = /^([\d.]+|\[.*\])$/

/** ES256, EdDSA and RS256. Every authenticator supports one of them. */
const algorithms = [-7, -8, -257]
/** Preferred and not required, because a touch is enough after the password. */
const userVerification = "preferred"

/** WebAuthn for the address of this service. The library is loaded on first use. */
export function createPasskeys({ address, serviceName }: PasskeyOptions): Passkeys {
  const origin = () => new URL(address.url).origin
  /** Passkeys are bound to the host name. */
  const rpID = () => new URL(address.url).hostname

  return {
    isUsable: () => allowsPasskeys(address.url),

    async creationOptions({ id, username, name }, known, challenge) {
      const { generateRegistrationOptions } = await import("@simplewebauthn/server")
      return generateRegistrationOptions({
        rpName: serviceName,
        rpID: rpID(),
        userID: new TextEncoder().encode(`${id}`),
        userName: username,
        userDisplayName: name,
        challenge: bytesOf(challenge),
        excludeCredentials: known.map(descriptorOf),
        authenticatorSelection: { residentKey: "preferred", userVerification },
        supportedAlgorithmIDs: algorithms,
      })
    },

    async requestOptions(known, challenge) {
      const { generateAuthenticationOptions } = await import("@simplewebauthn/server")
      return generateAuthenticationOptions({
        rpID: rpID(),
        challenge: bytesOf(challenge),
        allowCredentials: known.map(descriptorOf),
        userVerification,
      })
    },

    async created(response, expectedChallenge) {
      const { verifyRegistrationResponse } = await import("@simplewebauthn/server")
      const { registrationInfo } = await verifyRegistrationResponse({
        response: response as RegistrationResponseJSON,
        expectedChallenge,
        expectedOrigin: origin(),
        expectedRPID: rpID(),
        requireUserVerification: false,
        supportedAlgorithmIDs: algorithms,
      }).catch(refusal)
      if (!registrationInfo) return null
      const { id, publicKey, counter, transports = [] } = registrationInfo.credential
      return {
        credentialId: id,
        key: Buffer.from(publicKey).toString("base64url"),
        counter,
        transports: transports.length === 0 ? null : transports.join(","),
      }
    },

    async signed(response, known, expectedChallenge) {
      const { id } = response as AuthenticationResponseJSON
      const passkey = known.find(({ credentialId }) => credentialId === id)
      if (!passkey) return null
      const { verifyAuthenticationResponse } = await import("@simplewebauthn/server")
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response: response as AuthenticationResponseJSON,
        expectedChallenge,
        expectedOrigin: origin(),
        expectedRPID: rpID(),
        credential: { id, publicKey: bytesOf(passkey.key), counter: passkey.counter },
        requireUserVerification: false,
      }).catch(refusal)
      return verified ? { factorId: passkey.id, counter: authenticationInfo.newCounter } : null
    },
  }
}

/** Whether browsers create passkeys for this URL: it needs a host name, and https or localhost. */
export function allowsPasskeys(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  const isSecure = protocol === "https:" || hostname === "localhost" || hostname.endsWith(".localhost")
  return isSecure && !isAddress.test(hostname)
}

/** The result when the library throws, which it does for wrong and for malformed input alike. */
const refusal = () => ({ verified: false, registrationInfo: undefined, authenticationInfo: undefined }) as const

const bytesOf = (base64url: string) => new Uint8Array(Buffer.from(base64url, "base64url"))

const descriptorOf = ({ credentialId, transports }: SecondFactor) => ({
  id: credentialId ?? "",
  ...(transports !== null && { transports: transports.split(",") }),
})
