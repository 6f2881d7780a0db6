import { useSignal } from "@preact/signals"
import { useId, useRef } from "preact/hooks"
import { t } from "../texts/texts.ts"
import { Button } from "./button.tsx"

interface ShownOnceProps {
  readonly label: string
  readonly secret: string
  /** Absent: that it cannot be shown again. */
  readonly lead?: string
  readonly onClose: () => void
}

/**
 * A secret of one or several lines that the server cannot return again, with a button to copy it. Stays until the user
 * closes it.
 */
export function ShownOnce({ label, secret, lead, onClose }: ShownOnceProps) {
  const { shownOnce } = t()
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const area = useRef<HTMLTextAreaElement>(null)
  const isCopied = useSignal(false)
  const copy = async () => {
    isCopied.value = await copyToClipboard(secret, field.current ?? area.current)
  }
  const shared = {
    id,
    readOnly: true,
    value: secret,
    onFocus: ({ currentTarget }: { readonly currentTarget: HTMLInputElement | HTMLTextAreaElement }) =>
      currentTarget.select(),
  }
  return (
    <div class="mt-4 grid max-w-md gap-3 rounded-box border border-line bg-base-100 p-4">
      <label for={id} class="text-sm font-medium">
        {label}
      </label>
      {secret.includes("\n") ? (
        <textarea
          {...shared}
          ref={area}
          rows={secret.split("\n").length}
          class="textarea w-full resize-none border-base-content/45 font-mono"
        />
      ) : (
        <div class="input w-full border-base-content/45">
          <input {...shared} ref={field} class="grow font-mono" />
        </div>
      )}
      <p class="text-sm text-muted">{lead ?? shownOnce.lead}</p>
      <p class="flex flex-wrap items-center gap-2">
        <Button look="plain" onClick={() => void copy()}>
          {shownOnce.copy}
        </Button>
        <Button look="quiet" onClick={onClose}>
          {shownOnce.close}
        </Button>
        <span role="status" class="text-sm text-muted">
          {isCopied.value && shownOnce.copied}
        </span>
      </p>
    </div>
  )
}

/** The clipboard API needs a secure context; elsewhere `execCommand` copies the selected text. */
async function copyToClipboard(text: string, field: HTMLInputElement | HTMLTextAreaElement | null): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    field?.select()
    return document.execCommand("copy")
  }
}
