import type { Outbound } from "../../net/outbound.ts"

/** A chat from which people give points: what the job of such a request needs of it. */
export interface Chat {
  /** The name of the product. */
  readonly name: string
  /** Null for an unknown id. @throws ChatRefusal, ChatUnreachable */
  readonly user: (id: string) => Promise<ChatUser | null>
  /** Finds people by their names in the chat. Absent: a typed name is that of an account here. */
  readonly userNamed?: (name: string) => Promise<ChatUser | null>
  /** Makes the markup of this chat ineffective in what people wrote. */
  readonly plain: (text: string) => string
  /** Sends the outcome to the person alone. Throws as `user` does, or PermanentFailure when nobody will ever read it. */
  readonly answer: (to: Recipient, text: string) => Promise<void>
}

export interface ChatUser {
  /** Null when it is not known, or not confirmed where the chat tells. */
  readonly email: string | null
  readonly name: string
  /** Whether it is an active member, and not an app. */
  readonly isMember: boolean
}

export interface Recipient {
  /** Their id in the chat. */
  readonly giver: string
  /** Where the chat takes the answer; null for a direct message. */
  readonly responseUrl: string | null
}

/** The chat rejected a request of this server, which is not set up completely there. */
export class ChatRefusal extends Error {
  override readonly name = "ChatRefusal"
}

/** The chat cannot be reached, or cannot do for now what it is asked; another attempt may succeed. */
export class ChatUnreachable extends Error {
  override readonly name = "ChatUnreachable"
}

/** Sends a request to the chat. @throws ChatUnreachable, also when this server would not connect to the address in the settings */
export async function askChat(outbound: Pick<Outbound, "send">, request: Parameters<Outbound["send"]>[0]) {
  try {
    return await outbound.send(request)
  } catch (error) {
    throw new ChatUnreachable(error instanceof Error ? error.message : String(error), { cause: error })
  }
}

/** A message that only the person who typed the command sees, in the form of Slack, which Mattermost takes too. */
export const privately = (text: string) => ({ response_type: "ephemeral", text })

/** The fields of an object in foreign JSON; empty for anything else. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : {}
}
