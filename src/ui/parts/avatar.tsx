import { useState } from "preact/hooks"

interface AvatarProps {
  readonly name: string
  readonly username: string
  /** Address of the picture; null when there is none. */
  readonly src: string | null
  /** `asText` goes by the size of the text around it. */
  readonly size?: keyof typeof sizes
  readonly onBroken?: (src: string) => void
}

const sizes = {
  tiny: "size-6 text-[0.625rem]",
  small: "size-7 text-[0.6875rem]",
  medium: "size-10 text-sm",
  large: "size-20 text-2xl",
  asText: "size-[2.6em]",
}

/** A face: the picture over the initials, which stay when it is missing or broken. The name stands beside it. */
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

/** The browser asks for a picture with the viewer's session. On this server nothing but a stored picture may be asked for
 *  so: any other address could do or record something in the viewer's name. */
export function isSafePicture(src: string): boolean {
  const url = URL.parse(src, location.href)
  if (url === null || url.host !== location.host) return url !== null
  return /^\/api\/v1\/avatars\/[0-9a-f]{64}$/.test(url.pathname)
}

/** The first letters of the first and the last word, of a user name as of a name. */
export function initialsOf(name: string): string {
  const words = name.split(/[\s._-]+/).filter(Boolean)
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]]
  return letters.map((word) => [...(word ?? "")][0]?.toLocaleUpperCase() ?? "").join("")
}

/** One of the eight that `style.css` has: the highest bits of an FNV hash, which differ for names that are alike. */
function hueOf(username: string): number {
  let hash = 0x811c9dc5
  for (const letter of username) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193)
  return hash >>> 29
}
