import { QrCode } from "../../parts/qr-code.tsx"
import { fill, formatNumber, formatPlural, formatPoints } from "../../texts/format.ts"
import { t } from "../../texts/texts.ts"
import type { WallWeek } from "./wall-entries.ts"

/** What everybody gave this week, and the way to the app. */
export function Week({ of: { week, url } }: { of: WallWeek }) {
  const { wall } = t()
  return (
    <section class="wall-week" aria-label={wall.week}>
      {week !== null && (
        <div>
          <h2>{wall.week}</h2>
          {week.count === 0 ? (
            <p class="wall-sum">{wall.weekEmpty}</p>
          ) : (
            <>
              <p class="wall-sum">{formatPlural(week.count, wall.thanks)}</p>
              <p>{formatPoints(week.points)}</p>
            </>
          )}
          {week.tags.length > 0 && (
            <ul class="wall-week-tags">
              {week.tags.map(({ tag, count }) => (
                <li key={tag} dir="auto">
                  {`#${tag}`} <span>{formatNumber(count)}</span>
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
      <Invitation url={url} />
    </section>
  )
}

/** The address of the app, for a phone's camera and for people. */
export function Invitation({ url }: { url: string }) {
  const { wall } = t()
  return (
    <div class="wall-invitation">
      <QrCode text={url} label={wall.qrCode} class="wall-qr" />
      <p>{fill(wall.invitation, { address: new URL(url).host })}</p>
    </div>
  )
}
