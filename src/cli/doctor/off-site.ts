import { OffSiteFailure } from "../../integrations/s3/failure.ts"
import { createOffSite, offSiteSettingsOf } from "../../integrations/s3/off-site.ts"
import { backupPatienceMs } from "../../metrics/health.ts"
import { ageOf } from "./database.ts"
import { bad, type Finding, ok, warn } from "./finding.ts"

/** Lists the bucket of backup.s3_bucket and looks at the newest backup in it. Nothing when no bucket is set. */
export async function checkOffSite(
  config: Parameters<typeof offSiteSettingsOf>[0],
  now: number,
): Promise<readonly Finding[]> {
  const settings = offSiteSettingsOf(config)
  if (settings === null) return []
  const offSite = createOffSite(settings)
  try {
    const newest = await offSite.newest(now)
    const schedule = config.backup.every_hours
    if (newest === undefined)
      return [
        warn(
          "off-site",
          `the ${offSite.bucket} has no ${offSite.isEncrypting ? "encrypted " : ""}backup yet`,
          "`rewards backup --to s3` makes the first one",
        ),
      ]
    const found = `the newest in the ${offSite.bucket} is ${ageOf(now - newest.at)} old`
    const isLate = schedule > 0 && now - newest.at > schedule * 3_600_000 + backupPatienceMs
    return [
      isLate
        ? bad(
            "off-site",
            `${found}, and backup.every_hours is ${schedule}`,
            "look for `the upload of a backup failed` in the log",
          )
        : ok("off-site", found),
    ]
  } catch (error) {
    if (!(error instanceof OffSiteFailure)) throw error
    return [bad("off-site", error.problem, error.cure)]
  }
}
