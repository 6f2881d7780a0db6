import { signal, useSignal } from "@preact/signals"
import { Ellipsis, MessageCircle, SmilePlus } from "lucide"
import type { ComponentChildren } from "preact"
import { useId, useLayoutEffect, useRef } from "preact/hooks"
import { fill } from "../../languages/writing.ts"
import { personAddress } from "../addresses.ts"
import { Time } from "../dates.tsx"
import type { Recognition } from "../live.ts"
import { Avatar } from "../parts/avatar.tsx"
import { Button, useAction } from "../parts/button.tsx"
import { submitOnEnter } from "../parts/enter.ts"
import { Icon } from "../parts/icon.tsx"
import { api, type Failure, request } from "../server/api.ts"
import { messageOf } from "../server/failure-messages.ts"
import { requestOnce } from "../server/once.ts"
import { useAutoRefresh } from "../server/query.ts"
import { me, onUserChange } from "../session.ts"
import { formatNumber, formatPlural } from "../texts/format.ts"
import { t } from "../texts/texts.ts"

/** In characters. */
const maxReplyLength = 280

type Conversation = Extract<
  Awaited<ReturnType<ReturnType<typeof api.api.v1.recognitions>["get"]>>,
  { error: null }
>["data"]
type Reply = Conversation["replies_list"][number]
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
  /** Null while the transfer is pending. */
  readonly to: Recognition | null
  /** Whether the replies are shown from the beginning. */
  readonly isOpen: boolean
  /** Whether the mouse is over the entry. */
  readonly isHovered: boolean
  /** Small print in the same line. */
  readonly children: ComponentChildren
}

/** The last line of an entry: small print, reactions and the number of replies; below it the replies. */
export function Responses({ to, isOpen, isHovered, children }: ResponsesProps) {
  const canRespond = to !== null && !(to.private && to.reason === null)
  if (!canRespond) return <p class={`${lineClass} text-muted`}>{children}</p>
  return (
    <OpenResponses to={to} isOpen={isOpen} isHovered={isHovered}>
      {children}
    </OpenResponses>
  )
}

const lineClass = "flex flex-wrap items-center gap-x-3 gap-y-1 pt-1 text-sm empty:hidden"

function OpenResponses({ to, isOpen, isHovered, children }: ResponsesProps & { readonly to: Recognition }) {
  const isExpanded = useSignal(isOpen)
  const failure = useSignal<Failure | null>(null)
  const id = useId()
  const root = useRef<HTMLDivElement>(null)
  const { reactions = [], replies = 0 } = newerResponses.value.get(to.id) ?? to
  const { feed } = t()

  async function react(emoji: string) {
    const isOwn = reactions.some((one) => one.emoji === emoji && one.own)
    const path = api.api.v1.recognitions({ id: to.id }).reactions({ emoji })
    const answer = await request(isOwn ? path.delete() : path.put())
    failure.value = answer.kind === "done" ? null : answer
    if (answer.kind === "done") cacheResponses(answer.data)
  }
  const reply = () => {
    isExpanded.value = true
    requestAnimationFrame(() => root.current?.querySelector("textarea")?.focus())
  }

  return (
    <div ref={root} class="grid gap-2 print:hidden">
      <div class={lineClass}>
        <span class="contents text-muted">{children}</span>
        {reactions.map(({ emoji, count, own }) => (
          <ReactionChip key={emoji} emoji={emoji} count={count} isOwn={own} onPress={() => react(emoji)} />
        ))}
        {(replies > 0 || isExpanded.value) && (
          <button
            type="button"
            class="link link-hover text-muted pointer-coarse:py-2"
            aria-expanded={isExpanded.value}
            aria-controls={id}
            onClick={() => {
              isExpanded.value = !isExpanded.value
            }}
          >
            {replies === 0 ? feed.reply : formatPlural(replies, feed.replies)}
          </button>
        )}
      </div>
      <Toolbar isHovered={isHovered} isExpanded={isExpanded.value} onPick={react} onReply={reply} />
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
  readonly emoji: string
  readonly count: number
  readonly isOwn: boolean
  readonly onPress: () => Promise<void>
}

/** Screen readers know the names of emoji, in every language. */
function ReactionChip({ emoji, count, isOwn, onPress }: ChipProps) {
  const { busy, run } = useAction(onPress)
  return (
    <button
      type="button"
      class="-my-0.5 inline-flex min-h-7 cursor-pointer items-center gap-1 rounded-full border border-line bg-base-100 px-2 tabular-nums hover:border-base-content/30 aria-pressed:border-primary aria-pressed:bg-primary/10 pointer-coarse:-my-2 pointer-coarse:min-h-11 pointer-coarse:px-3"
      aria-pressed={isOwn}
      aria-busy={busy.value}
      onClick={run}
    >
      <span>{emoji}</span> <span>{formatNumber(count)}</span>
    </button>
  )
}

interface ToolbarProps {
  readonly isHovered: boolean
  /** Whether the replies are shown, which the reactions under the mouse would cover. */
  readonly isExpanded: boolean
  readonly onPick: (emoji: string) => Promise<void>
  readonly onReply: () => void
}

/**
 * Reactions and reply, on the edge below the entry: shown under the mouse, or by a button that a finger taps and the keyboard
 * reaches. Escape, and a step outside, close it.
 */
function Toolbar({ isHovered, isExpanded, onPick, onReply }: ToolbarProps) {
  const isOpen = useSignal(false)
  const showsAll = useSignal(false)
  const opener = useRef<HTMLButtonElement>(null)
  const group = useRef<HTMLFieldSetElement>(null)
  const { feed } = t()
  useLayoutEffect(() => {
    if (isOpen.value) group.current?.querySelector("button")?.focus()
  }, [isOpen.value])
  useLayoutEffect(() => {
    if (showsAll.value) group.current?.querySelectorAll("button")[usual.length]?.focus()
  }, [showsAll.value])
  const close = () => {
    const hasFocus = group.current?.contains(document.activeElement)
    isOpen.value = false
    showsAll.value = false
    if (hasFocus) opener.current?.focus()
  }
  const isShown = isOpen.value || (isHovered && !isExpanded)
  return (
    <>
      <button
        ref={opener}
        type="button"
        class={`btn btn-ghost btn-sm btn-square absolute end-0 bottom-1 text-muted pointer-coarse:group-data-[received=false]:-end-3 ${isExpanded ? "" : "pointer-fine:not-focus-visible:opacity-0"}`}
        aria-label={feed.react}
        aria-expanded={isOpen.value}
        onClick={() => {
          isOpen.value = !isOpen.value
        }}
      >
        <Icon of={SmilePlus} class="size-4" />
      </button>
      {isShown && (
        <fieldset
          ref={group}
          aria-label={feed.react}
          class="absolute end-0 top-full z-20 -mt-5 flex max-w-[min(23rem,calc(100vw-2rem))] min-w-0 flex-wrap rounded-3xl border border-line bg-base-100 p-0.5 shadow-sm"
          onKeyDown={(event) => {
            if (event.key !== "Escape") return
            event.stopPropagation()
            close()
          }}
          onFocusOut={({ relatedTarget }) => {
            if (relatedTarget instanceof Node && !group.current?.contains(relatedTarget)) close()
          }}
        >
          {(showsAll.value ? [...usual, ...more] : usual).map((emoji) => (
            <button
              key={emoji}
              type="button"
              class="btn btn-ghost btn-sm btn-square rounded-full text-base"
              onClick={() => {
                close()
                void onPick(emoji)
              }}
            >
              {emoji}
            </button>
          ))}
          {!showsAll.value && (
            <button
              type="button"
              class="btn btn-ghost btn-sm btn-square rounded-full text-muted"
              aria-label={feed.moreEmoji}
              title={feed.moreEmoji}
              onClick={() => {
                isOpen.value = true
                showsAll.value = true
              }}
            >
              <Icon of={Ellipsis} class="size-4" />
            </button>
          )}
          <button
            type="button"
            class="btn btn-ghost btn-sm rounded-full px-2.5 font-normal"
            onClick={() => {
              close()
              onReply()
            }}
          >
            <Icon of={MessageCircle} class="size-4" />
            {feed.reply}
          </button>
        </fieldset>
      )}
    </>
  )
}

/** The first are shown at once. Any other emoji that somebody sent through the interface is shown, too. */
const usual = ["👏", "❤️", "🎉", "🙏", "😄"]
const more = [..."👍💯🚀🔥⭐🏆💪🙌🤝💡🌱☕🍰🥳😍🤩😂🥹🫶💚👀✅🎯🌟"]

/** The replies to a recognition, and the field to write one. */
function Replies({ to }: { to: Recognition }) {
  const replies = useSignal<readonly Reply[] | null>(null)
  /** Why the replies could not be loaded. */
  const failure = useSignal<Failure | null>(null)
  /** Why the text in the field was not sent. Stays until it is sent, even if the replies are loaded again. */
  const refusal = useSignal<Failure | null>(null)
  const text = useSignal("")
  const field = useRef<HTMLTextAreaElement>(null)
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
        class="flex flex-wrap items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          void run()
        }}
      >
        <textarea
          ref={field}
          rows={1}
          class="textarea field-sizing-content min-h-10 w-24 flex-1 resize-none border-base-content/45 text-base"
          dir="auto"
          maxLength={maxReplyLength}
          aria-label={fill(feed.replyTo, { name: to.from_name })}
          placeholder={feed.reply}
          value={text}
          onInput={(event) => {
            text.value = event.currentTarget.value
          }}
          onKeyDown={submitOnEnter}
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
          <a
            href={personAddress(of.username)}
            dir="auto"
            translate={of.username === me.value?.username}
            class="font-semibold hover:underline"
          >
            {of.username === me.value?.username ? feed.you : of.name}
          </a>{" "}
          <span dir="auto" class={`whitespace-pre-line ${of.hidden ? "text-muted line-through" : ""}`}>
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
