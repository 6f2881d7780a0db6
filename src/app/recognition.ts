import { createMailDispatch } from "../domain/recognition/due-mail.ts"
import { createFeed } from "../domain/recognition/feed.ts"
import { createInsights } from "../domain/recognition/insights.ts"
import { createMailContents } from "../domain/recognition/mail-contents.ts"
import { createNotifications } from "../domain/recognition/notifications.ts"
import { createPortraits } from "../domain/recognition/portraits.ts"
import { createRecaps } from "../domain/recognition/recaps.ts"
import { createResponses } from "../domain/recognition/responses.ts"
import { createStatistics } from "../domain/recognition/statistics.ts"
import { createTeams } from "../domain/recognition/team.ts"
import { createWall } from "../domain/recognition/wall.ts"
import type { Shared } from "./shared.ts"

export function wireRecognition({
  config,
  store,
  clock,
  calendar,
  programme,
  rateLimiter,
  makeOnce,
  mailJobs,
  auditLog,
}: Shared) {
  const shows = config.recognition.feed
  const feed = createFeed({ store, shows, streamAccess: config.stream.access, programme: programme.current })
  const portraits = createPortraits({ store, clock, feed })
  const { peopleIn } = portraits
  const statistics = createStatistics({
    store,
    clock,
    calendar,
    peopleIn,
    seesTotals: feed.seesTotals,
    programme: programme.current,
  })
  const recaps = createRecaps({ store, programme, clock, calendar, feed })
  const insights = createInsights({ store, clock, calendar, auditLog })
  const teams = createTeams({ store, programme, clock, calendar })
  return {
    feed,
    portraits,
    statistics,
    insights,
    recaps,
    teams,
    wall: createWall({ store, statistics, shows, programme: programme.current }),
    responses: createResponses({ store, feed, rateLimiter, clock, makeOnce }),
    notifications: createNotifications({ store, programme: programme.current }),
    mailContents: createMailContents({ store, insights, recaps, teams, programme: programme.current }),
    mailDispatch: createMailDispatch({ store, clock, calendar, mailJobs }),
  }
}
