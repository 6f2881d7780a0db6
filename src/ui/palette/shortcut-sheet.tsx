import { Dialog } from "../parts/dialog.tsx"
import { t } from "../texts/texts.ts"
import { destinations, modifier, type Overlay } from "./commands.ts"

/** The list of all global keyboard shortcuts. */
export function ShortcutSheet({ onClose }: Overlay) {
  const { keys } = t()
  return (
    <Dialog title={keys.title} onClose={onClose}>
      <dl class="grid gap-y-1">
        <Row keys={[modifier, "K"]} name={keys.palette} />
        <Row keys={["N"]} name={keys.give} />
        {destinations().map(({ letter, name, address }) => (
          <Row key={address} keys={["G", letter.toUpperCase()]} then name={name()} />
        ))}
        <Row keys={["?"]} name={keys.sheet} />
        <Row keys={["Esc"]} name={keys.close} />
      </dl>
      <button type="button" class="btn btn-outline border-line font-medium" onClick={onClose}>
        {keys.done}
      </button>
    </Dialog>
  )
}

/** `then`: the keys are pressed one after another, not together. */
function Row({ keys, name, then = false }: { keys: readonly string[]; name: string; then?: boolean }) {
  return (
    <div class="flex min-h-8 items-center justify-between gap-6">
      <dt>{name}</dt>
      <dd class="flex shrink-0 items-center gap-1.5 text-sm text-muted">
        {keys.map((key, index) => (
          <>
            {index > 0 && then && <span>{t().keys.between}</span>}
            <kbd class="kbd kbd-sm border-line bg-base-200 font-sans">{key}</kbd>
          </>
        ))}
      </dd>
    </div>
  )
}
