import { signal, useSignal } from "@preact/signals"
import { MessageCircle, SmilePlus } from "lucide"
import { useId, useLayoutEffect, useRef } from "preact/hooks"
import { personAddress } from "../addresses.ts"
import { Time } from "../dates.tsx"
import type { Recognition } from "../live.ts"
import { Avatar } from "../parts/avatar.tsx"
import { Button, useAction } from "../parts/button.tsx"
import { Icon } from "../parts/icon.tsx"
import { api, type Failure, request } from "../server/api.ts"
import { messageOf } from "../server/failure-messages.ts"
import { requestOnce } from "../server/once.ts"
import { useAutoRefresh } from "../server/query.ts"
import { me, onUserChange } from "../session.ts"
import { fill, formatNumber, formatPlural } from "../texts/format.ts"
import { t } from "../texts/texts.ts"

/** In characters. */
const maxReplyLength = 280

type Conversation = Extract<
  Awaited<ReturnType<ReturnType<typeof api.api.v1.recognitions>["get"]>>,
  { error: null }
>["data"]
type Reply = Conversation["replies_list"][number]
type Emoji = Conversation["reactions"][number]["emoji"]
type ResponsesData = Pick<Conversation, "reactions" | "replies">

/** Responses that are newer than those in the loaded lists, by the id of the recognition. */
const newerResponses = signal<ReadonlyMap<number, ResponsesData>>(new Map())
onUserChange(() => {
  newerResponses.value = new Map()
})

function cacheResponses({ id, reactions, replies }: Pick<Conversation, "id" | "reactions" | "replies">) {
  newerResponses.value = new Map([...newerResponses.peek(), [id, { reactions, replies }]])
}

/** Call when a list has loaded these recognitions, because the list then has their newest responses. */
export function dropCachedResponses(loaded: readonly { readonly id: number }[]) {
  const ids = new Set(loaded.map(({ id }) => id))
  newerResponses.value = new Map([...newerResponses.peek()].filter(([id]) => !ids.has(id)))
}

interface ResponsesProps {
  readonly to: Recognition
  /** Whether the replies are shown from the beginning. */
  readonly isOpen?: boolean
}

/** Reactions to a recognition, and its replies below. Hidden from users who may not read a private recognition. */
export function Responses({ to, isOpen = false }: ResponsesProps) {
  const isExpanded = useSignal(isOpen)
  const failure = useSignal<Failure | null>(null)
  const id = useId()
  const { reactions = [], replies = 0 } = newerResponses.value.get(to.id) ?? to
  const { feed } = t()
  if (to.private && to.reason === null) return null

  async function react(emoji: Emoji, isOn: boolean) {
    const path = api.api.v1.recognitions({ id: to.id }).reactions({ emoji })
    const answer = await request(isOn ? path.put() : path.delete())
    failure.value = answer.kind === "done" ? null : answer
    if (answer.kind === "done") cacheResponses(answer.data)
  }

  return (
    <div class="col-start-2 col-end-4 mt-2 grid gap-2 print:hidden">
      <div class="-ms-1.5 flex flex-wrap items-center gap-1">
        {reactions.map(({ emoji, count, own }) => (
          <ReactionChip key={emoji} emoji={emoji} count={count} isOwn={own} onPress={() => react(emoji, !own)} />
        ))}
        <ReactionPicker onPick={(emoji) => react(emoji, !reactions.some((one) => one.emoji === emoji && one.own))} />
        <button
          type="button"
          class="btn btn-ghost btn-sm gap-1.5 px-1.5 font-normal text-muted"
          aria-expanded={isExpanded.value}
          aria-controls={id}
          onClick={() => {
            isExpanded.value = !isExpanded.value
          }}
        >
          <Icon of={MessageCircle} class="size-4" />
          {replies === 0 ? feed.reply : formatPlural(replies, feed.replies)}
        </button>
      </div>
      {failure.value !== null && (
        <p role="alert" class="text-sm text-error">
          {messageOf(failure.value)}
        </p>
      )}
      <div id={id} class="empty:hidden">
        {isExpanded.value && <Replies to={to} />}
      </div>
    </div>
  )
}

interface ChipProps {
  readonly emoji: Emoji
  readonly count: number
  readonly isOwn: boolean
  readonly onPress: () => Promise<void>
}

function ReactionChip({ emoji, count, isOwn, onPress }: ChipProps) {
  const { busy, run } = useAction(onPress)
  return (
    <button
      type="button"
      class="btn btn-sm gap-1 rounded-full border-line bg-base-100 px-2 font-normal tabular-nums aria-pressed:border-primary aria-pressed:bg-primary/10"
      aria-pressed={isOwn}
      aria-busy={busy.value}
      aria-label={fill(t().feed.reactions, { name: nameOf(emoji), count: formatNumber(count) })}
      title={nameOf(emoji)}
      onClick={run}
    >
      <span aria-hidden="true">{emoji}</span>
      <span aria-hidden="true">{formatNumber(count)}</span>
    </button>
  )
}

/** A button that opens the row of reactions. Escape closes it. */
function ReactionPicker({ onPick }: { onPick: (emoji: Emoji) => Promise<void> }) {
  const isOpen = useSignal(false)
  const opener = useRef<HTMLButtonElement>(null)
  const group = useRef<HTMLFieldSetElement>(null)
  const { feed } = t()
  useLayoutEffect(() => {
    if (isOpen.value) group.current?.querySelector("button")?.focus()
  }, [isOpen.value])
  const close = () => {
    isOpen.value = false
    opener.current?.focus()
  }
  return (
    <>
      <button
        ref={opener}
        type="button"
        class="btn btn-ghost btn-sm btn-square text-muted"
        aria-label={feed.react}
        title={feed.react}
        aria-expanded={isOpen.value}
        onClick={() => {
          isOpen.value = !isOpen.value
        }}
      >
        <Icon of={SmilePlus} class="size-4" />
      </button>
      {isOpen.value && (
        <fieldset
          ref={group}
          aria-label={feed.react}
          class="flex min-w-0 flex-wrap rounded-3xl border border-line bg-base-100"
          onKeyDown={(event) => {
            if (event.key !== "Escape") return
            event.stopPropagation()
            close()
          }}
        >
          {(Object.keys(feed.emojis) as Emoji[]).map((emoji) => (
            <button
              key={emoji}
              type="button"
              class="btn btn-ghost btn-sm btn-square rounded-full"
              aria-label={nameOf(emoji)}
              title={nameOf(emoji)}
              onClick={() => {
                close()
                void onPick(emoji)
              }}
            >
              <span aria-hidden="true">{emoji}</span>
            </button>
          ))}
        </fieldset>
      )}
    </>
  )
}

const nameOf = (emoji: Emoji): string => new Map(Object.entries(t().feed.emojis)).get(emoji) ?? emoji

/** The replies to a recognition, and the field to write one. */
function Replies({ to }: { to: Recognition }) {
  const replies = useSignal<readonly Reply[] | null>(null)
  /** Why the replies could not be loaded. */
  const failure = useSignal<Failure | null>(null)
  /** Why the text in the field was not sent. Stays until it is sent, even if the replies are loaded again. */
  const refusal = useSignal<Failure | null>(null)
  const text = useSignal("")
  const field = useRef<HTMLInputElement>(null)
  const newest = useRef(0)
  const { feed } = t()

  async function load() {
    newest.current += 1
    const number = newest.current
    const answer = await request(api.api.v1.recognitions({ id: to.id }).get())
    // The answer to an earlier request may arrive later and lack the newest reply.
    if (number !== newest.current) return answer
    failure.value = answer.kind === "done" ? null : answer
    if (answer.kind !== "done") return answer
    replies.value = answer.data.replies_list
    cacheResponses(answer.data)
    return answer
  }

  useLayoutEffect(() => {
    void load()
  }, [to.id])
  useAutoRefresh(load)

  const { busy, run } = useAction(async () => {
    if (text.value.trim() === "") return field.current?.focus()
    const sent = text.value
    const answer = await requestOnce(`reply to ${to.id}`, (keyed) =>
      request(api.api.v1.recognitions({ id: to.id }).replies.post({ text: sent }, keyed)),
    )
    refusal.value = answer.kind === "done" ? null : answer
    if (answer.kind === "refused" && answer.code === "key_reused") await load()
    if (answer.kind !== "done") return
    // Keeps what was typed while the reply was being sent.
    text.value = text.value.startsWith(sent) ? text.value.slice(sent.length).trimStart() : text.value
    await load()
  })

  const problem = refusal.value ?? failure.value
  return (
    <div class="grid gap-3">
      <ol class="grid gap-3" aria-label={feed.repliesTitle}>
        {replies.value?.map((reply) => (
          <li key={reply.id}>
            <ReplyRow of={reply} onChange={load} />
          </li>
        ))}
      </ol>
      <form
        class="flex flex-wrap gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          void run()
        }}
      >
        <input
          ref={field}
          class="input w-24 flex-1 border-base-content/45"
          dir="auto"
          maxLength={maxReplyLength}
          aria-label={fill(feed.replyTo, { name: to.from_name })}
          placeholder={feed.replyHint}
          value={text}
          onInput={(event) => {
            text.value = event.currentTarget.value
          }}
        />
        <Button look="plain" busy={busy.value}>
          {feed.sendReply}
        </Button>
      </form>
      {problem !== null && (
        <p role="alert" class="text-sm text-error">
          {messageOf(problem)}
        </p>
      )}
    </div>
  )
}

function ReplyRow({ of, onChange }: { of: Reply; onChange: () => Promise<unknown> }) {
  const { feed } = t()
  const failure = useSignal<Failure | null>(null)
  const change = async (call: () => Promise<Failure | { readonly kind: "done" }>) => {
    const answer = await call()
    failure.value = answer.kind === "done" ? null : answer
    if (answer.kind === "done") await onChange()
  }
  const path = api.api.v1.replies({ id: of.id })
  const remove = useAction(() => change(() => request(path.delete())))
  const hide = useAction(() => change(() => request(path.patch({ hidden: !of.hidden }))))
  return (
    <div class="grid grid-cols-[auto_1fr] gap-x-2.5 text-sm">
      <Avatar name={of.name} username={of.username} src={of.avatar} size="small" />
      <div class="grid min-w-0 gap-0.5">
        <p>
          <a href={personAddress(of.username)} dir="auto" class="font-semibold hover:underline">
            {of.username === me.value?.username ? feed.youFrom : of.name}
          </a>{" "}
          <span dir="auto" class={of.hidden ? "text-muted line-through" : ""}>
            {of.text}
          </span>
        </p>
        <p class="flex flex-wrap gap-x-3 text-xs text-muted">
          <Time date={of.date} />
          {of.hidden && <span>{feed.hiddenReply}</span>}
          {of.username === me.value?.username && (
            <button type="button" class="link link-hover" aria-busy={remove.busy.value} onClick={remove.run}>
              {feed.deleteReply}
            </button>
          )}
          {me.value?.role === "superuser" && (
            <button type="button" class="link link-hover" aria-busy={hide.busy.value} onClick={hide.run}>
              {of.hidden ? feed.showReply : feed.hideReply}
            </button>
          )}
        </p>
        {failure.value !== null && (
          <p role="alert" class="text-error">
            {messageOf(failure.value)}
          </p>
        )}
      </div>
    </div>
  )
}
