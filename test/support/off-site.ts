import { OffSiteFailure } from "../../src/integrations/s3/failure.ts"

/** How off-site backups use a bucket of a test. */
export const offSiteSettingsAt = (endpoint: string) => ({
  endpoint,
  bucket: "backups",
  region: "us-east-1",
  credentials: { accessKey: "S3RVER", secretKey: "S3RVER", sessionToken: null },
  ca: null,
  prefix: "",
  keep: 14,
  passphrase: null,
})

/** The failure with which this work ends. */
export async function failureOf(work: Promise<unknown>): Promise<OffSiteFailure> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (!(error instanceof OffSiteFailure)) throw new Error(`not refused: ${error}`)
  return error
}
