import { useSignal } from "@preact/signals"
import { Link, Share2 } from "lucide"
import { useRoute } from "preact-iso"
import { addresses, recognitionAddress } from "../addresses.ts"
import { feedEntryOf, RecognitionEntry } from "../feed/recognition.tsx"
import { Icon } from "../parts/icon.tsx"
import { LoadFailure, NotFound, Skeleton } from "../parts/placeholders.tsx"
import { type ScreenLocation, useTitle } from "../screen.ts"
import { api, isNotFound, request } from "../server/api.ts"
import { createQuery, useAutoRefresh } from "../server/query.ts"
import { t } from "../texts/texts.ts"

const useRecognition = createQuery((id: string) => request(api.api.v1.recognitions({ id }).get()))

/** One recognition with its replies, at an address that can be sent to a colleague. */
export function Recognition() {
  const { id = "" } = useRoute().params
  const { recognition } = t()
  const { data, failure, refresh, refreshQuietly } = useRecognition(id)
  useAutoRefresh(refreshQuietly)
  useTitle(recognition.title)
  if (failure !== null && isNotFound(failure)) return <NotVisible />
  if (failure !== null && data === null) return <LoadFailure failure={failure} onRetry={refresh} />
  return (
    <>
      <div class="flex flex-wrap items-center justify-between gap-3">
        <h1 class="text-xl font-semibold tracking-tight">{recognition.title}</h1>
        <Sharing id={id} />
      </div>
      <div class="mt-4">
        {data === null ? <Skeleton class="h-24 w-full" /> : <RecognitionEntry of={feedEntryOf(data)} isOpen />}
      </div>
      <p class="mt-8">
        <a href={addresses.home} class="link link-hover text-primary">
          {recognition.toFeed}
        </a>
      </p>
    </>
  )
}

Recognition.prefetch = ({ params: { id = "" } }: ScreenLocation) => useRecognition.prefetch(id)

/** Gives no reason, because users who may not see a recognition must not learn that it exists. */
function NotVisible() {
  const { recognition } = t()
  return (
    <NotFound title={recognition.notFound} to={addresses.home} link={recognition.toFeed}>
      {recognition.notFoundText}
    </NotFound>
  )
}

/** Buttons to copy the link and, if the device supports it, to share it. */
function Sharing({ id }: { id: string }) {
  const { recognition } = t()
  const outcome = useSignal<"copied" | "notCopied" | null>(null)
  const url = new URL(recognitionAddress(id), location.origin).href
  const copy = async () => {
    outcome.value = await navigator.clipboard.writeText(url).then(
      () => "copied" as const,
      () => "notCopied" as const,
    )
  }
  const canShare = "share" in navigator
  return (
    <div class="flex flex-wrap items-center gap-2">
      <p role="status" class="text-sm text-muted">
        {outcome.value !== null && recognition[outcome.value]}
      </p>
      <button type="button" class="btn btn-outline btn-sm border-line font-medium" onClick={copy}>
        <Icon of={Link} class="size-4" />
        {recognition.copy}
      </button>
      {canShare && (
        <button
          type="button"
          class="btn btn-outline btn-sm border-line font-medium"
          // The promise is rejected when the person closes the device's dialog.
          onClick={() => void navigator.share({ url }).catch(() => {})}
        >
          <Icon of={Share2} class="size-4" />
          {recognition.share}
        </button>
      )}
    </div>
  )
}
