import { useSignal } from "@preact/signals"
import { useLayoutEffect, useRef } from "preact/hooks"
import { Field } from "../../parts/field.tsx"
import { service } from "../../session.ts"
import { t } from "../../texts/texts.ts"
import { isShown } from "./avatar-hosts.ts"

/** Who types on is not shown half of it. */
const pauseMs = 300

interface PictureAddressProps {
  /** The address that showed no picture. */
  readonly broken: string | null
  /** What to show: null while there is nothing that can be. */
  readonly onSrc: (src: string | null) => void
}

/** A picture that stands elsewhere. */
export function PictureAddress({ broken, onSrc }: PictureAddressProps) {
  const { profile } = t()
  const hosts = service.value?.avatar_hosts ?? []
  const text = useSignal("")
  const error = useSignal<string | null>(null)
  const input = useRef<HTMLInputElement>(null)
  const address = text.value.trim()
  useLayoutEffect(() => input.current?.focus(), [])
  useLayoutEffect(() => {
    const timer = setTimeout(() => {
      const isUrl = /^https?:\/\/./.test(address)
      const isFine = isUrl && isShown(address, hosts)
      error.value = address === "" || isFine ? null : isUrl ? profile.foreignPicture : profile.noAddress
      if (isFine || address === "") onSrc(address || null)
    }, pauseMs)
    return () => clearTimeout(timer)
  }, [address, hosts.length])

  return (
    <Field
      label={profile.address}
      value={text}
      input={input}
      autoComplete="off"
      autoCapitalize="none"
      error={error.value ?? (broken !== null && broken === address ? profile.brokenPicture : null)}
    />
  )
}
