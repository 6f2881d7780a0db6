import { type Static, Type } from "@sinclair/typebox"
import { Elysia } from "elysia"
import { DomainError } from "../../../domain/errors.ts"
import { maxLengths } from "../../../domain/people/fields.ts"
import { maxDevices, maxEndpointLength } from "../../../domain/push/devices.ts"
import type { PushDevice } from "../../../domain/push/model.ts"
import { isId } from "../../../domain/text.ts"
import { utc, utcOrNull } from "../../../formats/views/dates.ts"
import type { Dependencies } from "../../dependencies.ts"
import { operation } from "../../openapi-operations.ts"
import { byId, openObject, ProtectedQuery, text } from "../../schemas.ts"
import { date, dateOrNull } from "./common-fields.ts"

/** The browsers that show the caller notifications while the app is closed. No API token may use these routes. */
export function pushRoutes({ app: { pushDevices, pushSending }, guards }: Dependencies<"pushDevices" | "pushSending">) {
  return new Elysia()
    .use(guards)
    .get(
      "/api/v1/me/push",
      async ({ caller }) => ({
        public_key: await pushSending.publicKey(),
        devices: (await pushDevices.of(caller.user)).map(deviceView),
      }),
      {
        authenticated: true,
        query: ProtectedQuery,
        detail: operation("Me", "List the devices on which you get notifications", 200, "Push"),
      },
    )
    .post(
      "/api/v1/me/push",
      async ({ caller, body, status }) => status(201, deviceView(await pushDevices.add(caller, subscriptionOf(body)))),
      {
        authenticated: true,
        query: ProtectedQuery,
        body: PushRequest,
        detail: operation("Me", "Get notifications in a browser", 201, "PushDevice", ["too_many_devices"]),
      },
    )
    .delete(
      "/api/v1/me/push/:id",
      async ({ caller, params }) => {
        if (!isId(params.id)) throw new DomainError("device_not_found")
        await pushDevices.remove(caller.user, Number(params.id))
        return { message: "Device removed" }
      },
      {
        authenticated: true,
        ...byId,
        detail: operation("Me", "Get no more notifications on a device", 200, "Message", ["device_not_found"]),
      },
    )
}

/** A `PushSubscription` of a browser as JSON, and a name. */
const PushRequest = openObject({
  endpoint: text(
    `where the push service of the browser takes messages: an https URL of at most ${maxEndpointLength} characters`,
  ),
  keys: openObject({
    p256dh: text("the browser's public key, base64url"),
    auth: text("the browser's secret of 16 bytes, base64url"),
  }),
  name: text(
    `how you recognize the device, 1 to ${maxLengths.name} characters; a person has at most ${maxDevices} devices`,
  ),
})

const subscriptionOf = ({ endpoint, keys: { p256dh, auth }, name }: Static<typeof PushRequest>) => ({
  endpoint,
  p256dh,
  auth,
  name,
})

const device = {
  id: Type.Integer(),
  name: Type.String(),
  created_at: date("UTC"),
  last_used_at: dateOrNull("UTC, when its push service took a notification last; null: not yet"),
}

export const pushComponents = {
  PushDevice: Type.Object(device),
  Push: Type.Object({
    public_key: text("with which a browser subscribes (VAPID's `applicationServerKey`), base64url"),
    devices: Type.Array(Type.Ref("PushDevice")),
  }),
}

const deviceView = ({ id, name, createdAt, lastUsedAt }: PushDevice) => ({
  id,
  name,
  created_at: utc(createdAt),
  last_used_at: utcOrNull(lastUsedAt),
})
