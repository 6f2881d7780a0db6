import { ArrowRight, FileUp, HandCoins, Keyboard, Languages, LogOut, MonitorCog, Moon, Sun, UserPlus } from "lucide"
import { useId, useMemo, useRef, useState } from "preact/hooks"
import { useLocation } from "preact-iso"
import { addresses, personAt } from "../addresses.ts"
import { chooseAppearance } from "../appearance.ts"
import { Avatar } from "../parts/avatar.tsx"
import { useOptionKeys } from "../parts/combobox.tsx"
import { useModal } from "../parts/dialog.tsx"
import { Icon } from "../parts/icon.tsx"
import { type Face, fits, useFound } from "../people.ts"
import { logOut, me } from "../session.ts"
import { languageNames } from "../texts/catalogues.ts"
import { formatPlural } from "../texts/format.ts"
import { chooseLanguage, language, t } from "../texts/texts.ts"
import { type Overlay, ownGoals, type Wish } from "./shortcuts.ts"

/** Everything by typing a part of its name: people, screens, acts. */
export function Palette({ onClose, onWish }: Overlay) {
  const { palette } = t()
  const { route } = useLocation()
  const [text, setText] = useState("")
  const people = useFound(text)
  const dialog = useModal(onClose)
  const input = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const id = useId()

  const groups = useMemo(
    () => groupsFor({ text, people: people ?? [], route, onWish }).filter(({ lines }) => lines.length > 0),
    [text, people],
  )
  const lines = groups.flatMap((group) => group.lines)
  useOptionKeys({
    input,
    list,
    isOpen: true,
    options: groups,
    onCommit(index) {
      onClose()
      lines[index]?.run()
    },
  })

  return (
    <dialog ref={dialog} aria-label={palette.open} class="modal items-start p-4 pt-[12dvh]">
      <div class="modal-box flex max-h-[70dvh] max-w-lg flex-col gap-0 overflow-hidden border border-line p-0">
        <input
          ref={input}
          class="min-h-13 w-full shrink-0 border-b border-line bg-transparent px-5 outline-none"
          dir="auto"
          aria-label={palette.label}
          placeholder={palette.label}
          value={text}
          autoComplete="off"
          autoCapitalize="none"
          spellcheck={false}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <div ref={list} id={id} role="listbox" aria-label={palette.open} class="overflow-y-auto p-2">
          {groups.map(({ title, lines: own }) => (
            // biome-ignore lint/a11y/useSemanticElements: a fieldset holds fields; these are options
            <div key={title} role="group" aria-label={title}>
              <p class="px-3 pt-2.5 pb-1 text-xs text-muted" aria-hidden="true">
                {title}
              </p>
              {own.map((line) => (
                <Option key={line.key} of={line} index={lines.indexOf(line)} />
              ))}
            </div>
          ))}
        </div>
        <p role="status" class={lines.length === 0 ? "px-5 pb-5 text-muted" : "sr-only"}>
          {lines.length === 0 ? palette.none : formatPlural(lines.length, t().parts.found)}
        </p>
      </div>
    </dialog>
  )
}

/** One line of the palette. */
export function Option({ of: line, index }: { of: Line; index: number }) {
  return (
    <div
      role="option"
      tabIndex={-1}
      data-index={index}
      class="flex min-h-11 cursor-pointer items-center gap-3.5 rounded-field px-3 py-1.5 hover:bg-base-300/50 aria-selected:bg-base-300 data-combobox-option-default:bg-base-300"
    >
      {line.kind === "person" ? <Person of={line.face} /> : <Deed of={line.act} />}
    </div>
  )
}

function Person({ of: face }: { of: Face }) {
  return (
    <>
      <Avatar {...face} src={face.avatar} size="small" />
      <span dir="auto" class="min-w-0 truncate">
        {face.name}
      </span>
      <span class="min-w-0 truncate text-sm text-muted">{face.username}</span>
    </>
  )
}

function Deed({ of: { icon, name, keys } }: { of: Act }) {
  return (
    <>
      <span class="grid size-7 shrink-0 place-content-center text-muted">
        <Icon of={icon} class="size-4.5" />
      </span>
      <span dir="auto" class="min-w-0 truncate">
        {name}
      </span>
      {keys && <kbd class="ms-auto font-sans text-xs text-muted">{keys}</kbd>}
    </>
  )
}

/** One line: where it leads or what it does. */
export type Line = { readonly key: string; readonly run: () => void } & (
  | { readonly kind: "act"; readonly act: Act }
  | { readonly kind: "person"; readonly face: Face }
)

export interface Group {
  readonly title: string
  readonly lines: readonly Line[]
}

interface Looked {
  readonly text: string
  readonly people: readonly Face[]
  readonly route: (address: string) => void
  readonly onWish: Overlay["onWish"]
}

/** What fits what is typed: screens, people, acts. */
export function groupsFor({ text, people, route, onWish }: Looked): readonly Group[] {
  const { palette } = t()
  const acts = actsFor({ route, onWish }).filter(({ name }) => fits(name, text))
  const goals = ownGoals().filter(({ name }) => fits(name(), text))
  return [
    {
      title: palette.screens,
      lines: goals.map(({ address, name, letter }) => {
        const run = () => route(address)
        const keys = `G ${letter.toUpperCase()}`
        return { key: address, kind: "act", run, act: { key: address, icon: ArrowRight, name: name(), keys, run } }
      }),
    },
    {
      title: palette.people,
      lines: people.map((face) => ({
        key: `person ${face.username}`,
        kind: "person",
        face,
        run: () => route(personAt(face.username)),
      })),
    },
    { title: palette.acts, lines: acts.map((act) => ({ key: act.key, kind: "act", act, run: act.run })) },
  ]
}

/** One line of the palette that does something. */
export interface Act {
  readonly key: string
  readonly icon: typeof Sun
  readonly name: string
  /** The keys that do the same. */
  readonly keys?: string
  readonly run: () => void
}

interface Ways {
  readonly route: (address: string) => void
  readonly onWish: (wish: Wish) => void
}

/** What can be done from everywhere. */
export function actsFor({ route, onWish }: Ways): readonly Act[] {
  const { palette, shell, admin, health } = t()
  const forSuperusers: readonly Act[] = [
    { key: "create", icon: UserPlus, name: admin.create, run: () => route(addresses.adminNew) },
    { key: "import", icon: FileUp, name: admin.import, run: () => route(addresses.adminImport) },
    { key: "health", icon: MonitorCog, name: health.title, run: () => route(addresses.adminServer) },
  ]
  return [
    { key: "give", icon: HandCoins, name: palette.give, keys: "N", run: () => onWish({ kind: "give" }) },
    ...(me.value?.role === "superuser" ? forSuperusers : []),
    { key: "light", icon: Sun, name: named(shell.light), run: () => chooseAppearance("light") },
    { key: "dark", icon: Moon, name: named(shell.dark), run: () => chooseAppearance("dark") },
    { key: "device", icon: MonitorCog, name: named(shell.asDevice), run: () => chooseAppearance(null) },
    ...Object.entries(languageNames)
      .filter(([tag]) => tag !== language.value)
      .map(([tag, name]) => ({
        key: `language ${tag}`,
        icon: Languages,
        name: `${shell.language}: ${name}`,
        run: () => void chooseLanguage(tag),
      })),
    { key: "keys", icon: Keyboard, name: t().keys.title, keys: "?", run: () => onWish({ kind: "sheet" }) },
    { key: "out", icon: LogOut, name: shell.logOut, run: () => void logOut() },
  ]

  function named(look: string): string {
    return `${shell.appearance}: ${look}`
  }
}
