import { FileUp } from "lucide"
import { useState } from "preact/hooks"
import { Icon } from "../../parts/icon.tsx"
import { t } from "../../texts/texts.ts"

interface FilePickerProps {
  readonly file: File | null
  readonly onPick: (file: File) => void
}

/** Takes a file, chosen or dropped. The same one may be chosen again, changed meanwhile. */
export function FilePicker({ file, onPick }: FilePickerProps) {
  const { imports } = t()
  const [isOver, setOver] = useState(false)
  const take = (files: FileList | null | undefined) => {
    const [picked] = files ?? []
    if (picked !== undefined) onPick(picked)
  }
  return (
    <label
      class={`flex cursor-pointer items-center gap-4 rounded-box border border-dashed px-4 py-5 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-primary ${isOver ? "border-primary bg-primary/8" : "border-base-content/45 hover:bg-base-300/30"}`}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        take(event.dataTransfer?.files)
      }}
    >
      <Icon of={FileUp} class="size-6 text-muted" />
      <span class="min-w-0">
        <span dir="auto" class="block font-medium">
          {file?.name ?? imports.choose}
        </span>
        <span class="block text-sm text-muted">{file === null ? imports.drop : imports.chooseAgain}</span>
      </span>
      <input
        type="file"
        accept=".csv,text/csv"
        class="sr-only"
        onChange={({ currentTarget }) => {
          take(currentTarget.files)
          currentTarget.value = ""
        }}
      />
    </label>
  )
}
