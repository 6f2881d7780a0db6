import {
  ArrowRight,
  FileUp,
  HandCoins,
  Keyboard,
  KeyRound,
  Languages,
  LogOut,
  MonitorCog,
  Moon,
  Network,
  SlidersHorizontal,
  Sun,
  UserPlus,
  Webhook,
} from "lucide"
import type { RefObject } from "preact"
import { useId, useMemo, useRef } from "preact/hooks"
import { useLocation } from "preact-iso"
import { languages } from "../../domain/languages.ts"
import { languageNames } from "../../languages/writing.ts"
import { addresses, personAddress } from "../addresses.ts"
import { chooseAppearance } from "../appearance.ts"
import { Avatar } from "../parts/avatar.tsx"
import { useOptionKeys } from "../parts/combobox.tsx"
import { Icon } from "../parts/icon.tsx"
import { matchesName, type PersonSummary, usePeopleSearch } from "../people.ts"
import { mayOpen } from "../rights.ts"
import { logOut, me, speak } from "../session.ts"
import { formatFound } from "../texts/format.ts"
import { language, t } from "../texts/texts.ts"
import { type Command, destinations, type Overlay } from "./commands.ts"

interface ResultsProps extends Overlay {
  /** What was typed into the field. */
  readonly text: string
  /** The field, whose arrow keys and Enter choose a result. */
  readonly input: RefObject<HTMLInputElement | null>
}

/** What the command palette finds: people, screens and actions by a part of their names. */
export function Results({ text, input, onClose, onCommand }: ResultsProps) {
  const { palette } = t()
  const { route } = useLocation()
  const people = usePeopleSearch(text)
  const list = useRef<HTMLDivElement>(null)
  const id = useId()

  const groups = useMemo(
    () => groupsFor({ text, people: people ?? [], route, onCommand }).filter(({ options }) => options.length > 0),
    [text, people, me.value],
  )
  const options = groups.flatMap((group) => group.options)
  useOptionKeys({
    input,
    list,
    isOpen: true,
    options: groups,
    onCommit(index) {
      onClose()
      options[index]?.run()
    },
  })

  return (
    <>
      <div ref={list} id={id} role="listbox" aria-label={palette.open} class="overflow-y-auto p-2">
        {groups.map(({ title, options: own }) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset holds fields; these are options
          <div key={title} role="group" aria-label={title}>
            <p class="px-3 pt-2.5 pb-1 text-xs text-muted" aria-hidden="true">
              {title}
            </p>
            {own.map((option) => (
              <Option key={option.key} of={option} index={options.indexOf(option)} />
            ))}
          </div>
        ))}
      </div>
      <p role="status" class={options.length === 0 ? "px-5 pb-5 text-muted" : "sr-only"}>
        {options.length === 0 ? palette.none : formatFound(options.length)}
      </p>
    </>
  )
}

function Option({ of: option, index }: { of: PaletteOption; index: number }) {
  return (
    <div
      role="option"
      tabIndex={-1}
      data-index={index}
      class="flex min-h-11 cursor-pointer items-center gap-3.5 rounded-field px-3 py-1.5 hover:bg-base-300/50 aria-selected:bg-base-300 data-combobox-option-default:bg-base-300"
    >
      {"face" in option ? <PersonOption of={option.face} /> : <ActionOption of={option} />}
    </div>
  )
}

function PersonOption({ of: face }: { of: PersonSummary }) {
  return (
    <>
      <Avatar {...face} src={face.avatar} size="small" />
      <span dir="auto" translate={false} class="min-w-0 wrap-anywhere">
        {face.name}
      </span>
      <span translate={false} class="min-w-0 text-sm wrap-anywhere text-muted">
        {face.username}
      </span>
    </>
  )
}

function ActionOption({ of: { icon, name, keys } }: { of: Action }) {
  return (
    <>
      <span class="grid size-7 shrink-0 place-content-center text-muted">
        <Icon of={icon} class="size-4.5" />
      </span>
      <span dir="auto" class="min-w-0 wrap-anywhere">
        {name}
      </span>
      {/* A phone has no keys for them. */}
      {keys && <kbd class="ms-auto font-sans text-xs whitespace-nowrap text-muted max-sm:hidden">{keys}</kbd>}
    </>
  )
}

type PaletteOption = Action | PersonResult

/** A person that the palette has found. */
interface PersonResult {
  readonly key: string
  readonly face: PersonSummary
  readonly run: () => void
}

/** A command that the palette can run. */
interface Action {
  readonly key: string
  readonly icon: typeof Sun
  readonly name: string
  /** The keyboard shortcut of the same action. */
  readonly keys?: string
  readonly run: () => void
}

interface Group {
  readonly title: string
  readonly options: readonly PaletteOption[]
}

interface PaletteContext {
  readonly text: string
  readonly people: readonly PersonSummary[]
  readonly route: (address: string) => void
  readonly onCommand: Overlay["onCommand"]
}

/** Screens, people and actions that match the text. */
function groupsFor({ text, people, route, onCommand }: PaletteContext): readonly Group[] {
  const { palette } = t()
  const actions = actionsFor({ route, onCommand }).filter(({ name }) => matchesName(name, text))
  const screens = destinations().filter(({ name }) => matchesName(name(), text))
  return [
    {
      title: palette.screens,
      options: screens.map(({ address, name, letter }) => ({
        key: address,
        icon: ArrowRight,
        name: name(),
        keys: `G ${letter.toUpperCase()}`,
        run: () => route(address),
      })),
    },
    {
      title: palette.people,
      options: people.map((face) => ({
        key: `person ${face.username}`,
        face,
        run: () => route(personAddress(face.username)),
      })),
    },
    { title: palette.actions, options: actions },
  ]
}

interface ActionContext {
  readonly route: (address: string) => void
  readonly onCommand: (command: Command) => void
}

/** The actions that are available everywhere. */
function actionsFor({ route, onCommand }: ActionContext): readonly Action[] {
  const { palette, shell, admin, departments, health, tokens, webhooks } = t()
  const administration = [
    { address: addresses.adminNew, icon: UserPlus, name: admin.create },
    { address: addresses.adminImport, icon: FileUp, name: admin.import },
    { address: addresses.adminDepartments, icon: Network, name: departments.title },
    { address: addresses.adminProgramme, icon: SlidersHorizontal, name: admin.programme },
    { address: addresses.adminTokens, icon: KeyRound, name: tokens.serviceTitle },
    { address: addresses.adminWebhooks, icon: Webhook, name: webhooks.title },
    { address: addresses.adminServer, icon: MonitorCog, name: health.title },
  ]
  return [
    { key: "give", icon: HandCoins, name: palette.give, keys: "N", run: () => onCommand({ kind: "transfer" }) },
    ...administration
      .filter(({ address }) => mayOpen(address))
      .map(({ address, icon, name }) => ({ key: `open ${address}`, icon, name, run: () => route(address) })),
    { key: "light", icon: Sun, name: named(shell.light), run: () => chooseAppearance("light") },
    { key: "dark", icon: Moon, name: named(shell.dark), run: () => chooseAppearance("dark") },
    { key: "device", icon: MonitorCog, name: named(shell.asDevice), run: () => chooseAppearance(null) },
    ...languages
      .filter((tag) => tag !== language.value)
      .map((tag) => ({
        key: `language ${tag}`,
        icon: Languages,
        name: `${shell.language}: ${languageNames[tag]}`,
        run: () => void speak(tag),
      })),
    { key: "keys", icon: Keyboard, name: t().keys.title, keys: "?", run: () => onCommand({ kind: "sheet" }) },
    { key: "out", icon: LogOut, name: shell.logOut, run: () => void logOut() },
  ]

  function named(look: string): string {
    return `${shell.appearance}: ${look}`
  }
}
