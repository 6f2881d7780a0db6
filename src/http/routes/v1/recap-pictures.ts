import { type Static, Type } from "@sinclair/typebox"
import { Elysia } from "elysia"
import { type Language, languages } from "../../../domain/languages.ts"
import type { User } from "../../../domain/people/model.ts"
import type { Recap } from "../../../domain/recognition/recaps.ts"
import { wordOf } from "../../../domain/text.ts"
import type { Shown } from "../../../formats/pictures/recap-words.ts"
import { createBoundedCache } from "../../../support/bounded-cache.ts"
import type { Dependencies } from "../../dependencies.ts"
import { type DownloadRules, piecesOf, sentInPieces } from "../../downloads.ts"
import { downloadOperation } from "../../openapi-operations.ts"
import { oneOf, openObject } from "../../schemas.ts"
import type { Holder } from "../../turns.ts"
import { RecapQuery } from "./recaps.ts"

type PictureDependencies = Dependencies<"config" | "programme" | "recaps" | "store"> & DownloadRules

const png = { description: "A picture of 1200 by 630 pixels", type: "image/png", format: "binary" }

/** Looks back as pictures, to show elsewhere. */
export function recapPictureRoutes({ app, guards, origin }: PictureDependencies) {
  const { config, programme, recaps, store } = app
  const draw = createDrawing()
  const transform = ({ request }: { request: Request }) => origin.demandForDownload(request)

  return new Elysia()
    .use(guards)
    .get(
      "/api/v1/recap.png",
      ({ request: { signal }, caller: { user }, query, holder }) =>
        sent(holder, user, query, () => recaps.ofPerson(user, { ...query, signal }), user),
      {
        authenticated: "read",
        transform,
        query: PictureQuery,
        detail: downloadOperation("Looking back", "Look back at what you received and gave, as a picture", png),
      },
    )
    .get(
      "/api/v1/recap/company.png",
      ({ request: { signal }, caller, query, holder }) =>
        sent(holder, caller.user, query, () => recaps.ofCompany(caller, { ...query, signal }), null),
      {
        insights: "read",
        transform,
        query: PictureQuery,
        detail: downloadOperation("Looking back", "Look back at everybody's recognition, as a picture", png),
      },
    )

  /** `person`: whose look back it is; null for the company's. */
  async function sent(
    holder: Holder,
    viewer: User,
    query: Static<typeof PictureQuery>,
    read: () => Promise<Recap>,
    person: User | null,
  ): Promise<Response> {
    const language = await languageOf(viewer, query.language)
    const recap = await read()
    const { points_name: pointsName } = await programme.current()
    const picture = await draw({ recap, person, language, pointsName, service: config.service.name })
    const headers = {
      "content-type": "image/png",
      "content-length": `${picture.length}`,
      "content-disposition": `attachment; filename="recap-${recap.period}.png"`,
    }
    return sentInPieces(piecesOf(picture), headers, holder)
  }

  /** @throws DomainError `invalid` (`language`) */
  async function languageOf(viewer: User, asked: string | undefined): Promise<Language> {
    if (asked === undefined) return (await store.mail.choiceOf(viewer.id)).language ?? config.service.language
    return wordOf("language", languages, asked)
  }
}

const PictureQuery = openObject({
  ...RecapQuery.properties,
  language: Type.Optional(oneOf(languages, "of the picture; by default that of the caller's mail")),
})

/** Pictures that are kept, all together in bytes: forty or so. */
const cacheBytes = 4 * 1024 * 1024

/** Draws one picture after another. What draws is loaded with the first one, because many servers never draw any. */
function createDrawing() {
  const known = createBoundedCache<string, Uint8Array>(cacheBytes, ({ length }) => length)
  let latest: Promise<unknown> = Promise.resolve()
  let loaded: ReturnType<typeof load> | undefined

  return async (shown: Shown): Promise<Uint8Array> => {
    loaded ??= load()
    const { recapWords, drawRecap } = await loaded
    const words = recapWords(shown)
    const key = JSON.stringify(words)
    const drawing = latest.then(async () => {
      const picture = known.get(key) ?? (await drawRecap(words))
      known.set(key, picture)
      return picture
    })
    latest = drawing.catch(() => {})
    return drawing
  }
}

async function load() {
  const [{ recapWords }, { createRecapPictures }] = await Promise.all([
    import("../../../formats/pictures/recap-words.ts"),
    import("../../../formats/pictures/recap-picture.ts"),
  ])
  return { recapWords, drawRecap: createRecapPictures() }
}
