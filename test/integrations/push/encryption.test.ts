import { expect, test } from "bun:test"
import { encrypted, maxMessageBytes } from "../../../src/integrations/push/encryption.ts"

/** RFC 8291, appendix A. */
const example = {
  message: "When I grow up, I want to be a watermelon",
  receiver: {
    p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
    auth: "BTBZMqHH6r4Tts7J_aSIgg",
  },
  privateKey: "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw",
  salt: "DGv6ra1nlYgDCS1FRnbzlw",
  body:
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQ" +
    "pu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN",
}

test("a message is encrypted as in the example of RFC 8291", () => {
  const { receiver, privateKey } = example
  const salt = Buffer.from(example.salt, "base64url")
  const body = encrypted(Buffer.from(example.message), receiver, { privateKey, salt })
  expect(Buffer.from(body).toString("base64url")).toBe(example.body)
})

test("no two messages have the same key or salt, and the longest has 4,096 bytes", () => {
  const [one, other] = [0, 1].map(() => encrypted(new Uint8Array(maxMessageBytes), example.receiver))
  expect(one?.length).toBe(4096)
  expect(one?.subarray(0, 16)).not.toEqual(other?.subarray(0, 16))
  expect(one?.subarray(21, 86)).not.toEqual(other?.subarray(21, 86))
})
