import { expect, test } from "bun:test"
import { addressIsVerified } from "../../../src/integrations/oidc/profile.ts"

test("an address is verified if the provider says so; Microsoft says so in another claim", () => {
  const entra = "https://login.microsoftonline.com/6f3a8c3e-0000-4000-8000-000000000000/v2.0"
  const cases: [claims: Record<string, unknown>, issuer: string, verified: boolean | null][] = [
    [{ email_verified: true }, "https://a.example", true],
    [{ email_verified: "true" }, "https://a.example", true],
    [{ email_verified: false }, "https://a.example", false],
    [{ email_verified: "yes" }, "https://a.example", false],
    [{}, "https://a.example", null],
    [{ xms_edov: true }, "https://a.example", null],
    [{ xms_edov: true }, "https://login.microsoftonline.com.a.example/x", null],
    [{ xms_edov: true }, entra, true],
    [{ xms_edov: "1" }, entra, true],
    [{ xms_edov: 0 }, entra, false],
    [{ email_verified: false, xms_edov: true }, entra, false],
    [{}, entra, null],
  ]
  for (const [claims, issuer, verified] of cases) expect(addressIsVerified(claims, issuer)).toBe(verified)
})
