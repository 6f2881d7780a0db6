import { Gift } from "lucide"
import { isSafePicture } from "../../parts/avatar.tsx"
import { Icon } from "../../parts/icon.tsx"

/** The picture of a reward, or a sign in its place. The name must be beside it. */
export function RewardPicture({ src }: { src: string | null }) {
  return (
    <span
      class="grid size-16 shrink-0 place-content-center overflow-hidden rounded-field bg-base-300 text-muted"
      aria-hidden="true"
    >
      {src !== null && isSafePicture(src) ? (
        <img class="size-16 object-cover" src={src} alt="" loading="lazy" decoding="async" />
      ) : (
        <Icon of={Gift} class="size-7" />
      )}
    </span>
  )
}
