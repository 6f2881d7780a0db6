import { Type } from "@sinclair/typebox"
import { Elysia } from "elysia"
import type { WallContent } from "../../../domain/recognition/wall.ts"
import { recognitionView } from "../../../formats/views/recognition.ts"
import type { Dependencies } from "../../dependencies.ts"
import { operation } from "../../openapi-operations.ts"
import { shownPoints } from "./common-fields.ts"

/** What a wall, a screen for everybody, shows. Open to the same clients as the stream of transactions. */
export function wallRoutes({ app: { address, wall }, guards }: Dependencies<"address" | "wall">) {
  return new Elysia()
    .use(guards)
    .get("/api/v1/wall", async ({ caller }) => wallView(await wall.show(caller?.user ?? null), address.url), {
      watcher: "read",
      detail: operation("Recognition", "Show what a wall shows", 200, "Wall"),
    })
}

const wallView = ({ items, week }: WallContent, url: string) => ({
  items: items.map((item) => recognitionView(item, null)),
  week: week && { points: week.points, count: week.count, tags: week.tags },
  url,
})

export const wallComponents = {
  Wall: Type.Object({
    items: Type.Array(Type.Ref("StreamedRecognition"), { description: "newest first, without what was taken back" }),
    week: Type.Union(
      [
        Type.Object({
          points: shownPoints("points"),
          count: Type.Integer({ description: "recognitions" }),
          tags: Type.Array(Type.Object({ tag: Type.String(), count: Type.Integer() })),
        }),
        Type.Null(),
      ],
      { description: "what everybody gave together this week; null for members who see only their own recognitions" },
    ),
    url: Type.String({ description: "where people reach this server" }),
  }),
}
