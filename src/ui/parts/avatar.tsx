import { useState } from "preact/hooks"

interface AvatarProps {
  readonly name: string
  readonly username: string
  /** The address of the picture; null for none. */
  readonly src: string | null
  /** `asText` scales with the surrounding text. */
  readonly size?: keyof typeof sizes
  readonly onBroken?: (src: string) => void
}

const sizes = {
  inline: "size-5 text-[0.5625rem] align-middle",
  quarter: "size-[1.4375rem] text-[0.5625rem]",
  tiny: "size-6 text-[0.625rem]",
  small: "size-7 text-[0.6875rem]",
  medium: "size-10 text-sm",
  big: "size-12",
  large: "size-20 text-2xl",
  asText: "size-[2.6em]",
}

/**
 * A person's picture over the initials; a missing or broken picture leaves the initials. Screen readers skip it, so the
 * name must be beside it.
 */
export function Avatar({ name, username, src, size = "medium", onBroken }: AvatarProps) {
  const [broken, setBroken] = useState<string | null>(null)
  return (
    <span
      class={`face relative inline-grid shrink-0 place-items-center overflow-hidden rounded-full font-medium select-none ${sizes[size]}`}
      data-hue={hueOf(username)}
      aria-hidden="true"
    >
      {initialsOf(name)}
      {src !== null && src !== broken && isSafePicture(src) && (
        <img
          class="absolute inset-0 size-full object-cover"
          src={src}
          alt=""
          loading="lazy"
          decoding="async"
          referrerpolicy="no-referrer"
          onError={() => {
            setBroken(src)
            onBroken?.(src)
          }}
        />
      )}
    </span>
  )
}

/**
 * Whether it is safe to load this picture. Requests to this server carry the viewer's session, so on this server only
 * stored avatars are allowed: a request to any other address there might change or log something in the viewer's name.
 */
export function isSafePicture(src: string): boolean {
  const url = URL.parse(src, location.href)
  if (url === null || url.host !== location.host) return url !== null
  return /^\/api\/v1\/avatars\/[0-9a-f]{64}$/.test(url.pathname)
}

/** The first letters of the first and the last word, for names and usernames. */
function initialsOf(name: string): string {
  const words = name.split(/[\s._-]+/).filter(Boolean)
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]]
  return letters.map((word) => [...(word ?? "")][0]?.toLocaleUpperCase() ?? "").join("")
}

/** One of the eight hues of `style.css`: the highest bits of an FNV hash, because they differ for similar names. */
function hueOf(username: string): number {
  let hash = 0x811c9dc5
  for (const letter of username) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193)
  return hash >>> 29
}
