import { Elysia } from "elysia"
import type { Access, Caller } from "../domain/auth/access.ts"
import { maxImportBytes } from "../domain/people/imports.ts"
import { currentTick } from "../tick.ts"
import { type BodyKind, readBody } from "./body.ts"
import { credentialsOf, queryOf } from "./caller.ts"

interface Dependencies {
  readonly access: Access
  /** The setting `limits.body_bytes`. */
  readonly maxBodyBytes: number
  /** The setting `directory.access`. */
  readonly directoryAccess: "public" | "auth"
}

interface Entering {
  readonly request: Request
  /** Absent where the path has none. */
  readonly params?: { readonly username?: string } | undefined
}

// Never reached behind a parser of our own; they tell the API page what a route reads. Elysia's type knows only functions.
const readsJson = "json" as never
const readsForm = "urlencoded" as never
const readsText = "text" as never

/**
 * Doors stand before the body: a route that names one is entered by those whom the access rules admit, and its handler
 * finds what they gave. Who may not enter is told so (401, 404, 403) before a byte of the body is looked at (413, 415,
 * 400) and before anything is validated (422). `json` and `form` are for public routes: they only read the body.
 */
export function doors({ access, maxBodyBytes, directoryAccess }: Dependencies) {
  const anybody = (request: Request) => access.callerIfAny(credentialsOf(request))
  const member = (request: Request) => access.caller(credentialsOf(request))
  const memberTo =
    <T>(admit: (caller: Caller, username: string) => Promise<T>) =>
    async ({ request, params }: Entering) => {
      const caller = await member(request)
      return { caller, target: await admit(caller, params?.username ?? "") }
    }

  return new Elysia({ name: "doors" }).macro({
    json: { parse: [({ request }: Entering) => readBody(request, "json", maxBodyBytes), readsJson] },
    form: { parse: [({ request }: Entering) => readBody(request, "form", maxBodyBytes), readsForm] },
    /** Anybody; `caller` is null for strangers. */
    everybody: door(async ({ request }) => ({ caller: await anybody(request) })),
    /** Whoever may read the directory: anybody or members, as the setting says. `caller` is null for strangers. */
    directory: door(
      async ({ request }): Promise<{ readonly caller: Caller | null }> => ({
        caller: await (directoryAccess === "public" ? anybody(request) : member(request)),
      }),
    ),
    /** Whoever is logged in: the `caller`. */
    members: door(async ({ request }) => ({ caller: await member(request) })),
    /** The same, who bring a picture: its bytes are the body. */
    membersWithPicture: door(
      async ({ request }) => ({ caller: await member(request) }),
      ["picture", maxBodyBytes, readsText],
    ),
    superusers: door(memberTo(access.toUsers)),
    /** The same, who bring a file: its bytes are the body. */
    superusersWithFile: door(memberTo(access.toUsers), ["csv", maxImportBytes, readsText]),
    /** The same, who name a user who exists: the `target`. */
    toAccount: door(memberTo(access.toAccount)),
    /** Whoever is logged in and names a user who exists: the `target`. */
    toUser: door(memberTo((_, username) => access.toUser(username))),
    /** Whoever may change the profile of `target`. */
    toProfile: door(memberTo(access.toProfile)),
    /** Whoever may read the transactions of `target`. */
    toHistory: door(memberTo(access.toHistory)),
    /** Whoever may set the password that `grant` names. */
    toPassword: door(async ({ request, params }) => {
      const caller = await anybody(request)
      const [resetToken = null] = queryOf(request, "pwd_reset_token")
      return { grant: await access.toPassword(caller, params?.username ?? "", resetToken) }
    }),
  })

  /** Asked before the body is read, and again when it came later: a sender may take a long time over it, and what was
   *  ended meanwhile must not be used any more. */
  function door<T>(
    admit: (entering: Entering) => Promise<T>,
    [kind, maxBytes, reads]: readonly [BodyKind, number, never] = ["json", maxBodyBytes, readsJson],
  ) {
    const admissions = new WeakMap<Request, { readonly turn: number; readonly admitted: T }>()
    const enter = async ({ request, params }: Entering) => {
      const admitted = await admit({ request, params })
      admissions.set(request, { turn: currentTick(), admitted })
    }
    const wasLetInJustNow = (request: Request) => admissions.get(request)?.turn === currentTick()
    return {
      parse: [
        async ({ request, params }: Entering) => {
          await enter({ request, params })
          return readBody(request, kind, maxBytes)
        },
        reads,
      ],
      transform: ({ request, params }: Entering) => (wasLetInJustNow(request) ? undefined : enter({ request, params })),
      resolve: ({ request }: { request: Request }) => admissions.get(request)?.admitted as T,
    }
  }
}
