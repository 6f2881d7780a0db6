import { useSignal } from "@preact/signals"
import { LogOut, Sparkles, UserRound } from "lucide"
import type { ComponentChildren } from "preact"
import { useId, useLayoutEffect, useRef } from "preact/hooks"
import { languageNames, languages } from "../../domain/languages/languages.ts"
import { addresses } from "../addresses.ts"
import { appearance, appearances, chooseAppearance } from "../appearance.ts"
import { Avatar } from "../parts/avatar.tsx"
import { useAction } from "../parts/button.tsx"
import { Notice } from "../parts/form.tsx"
import { Icon } from "../parts/icon.tsx"
import { Skeleton } from "../parts/placeholders.tsx"
import { Pockets } from "../parts/pockets.tsx"
import { messageOf } from "../server/failure-messages.ts"
import { logOut, type Me, me, speak } from "../session.ts"
import { language, t } from "../texts/texts.ts"
import { leftOutOnPhone } from "./navigation.ts"

/** The menu of the current user: points, appearance, language, profile, log-out. */
export function AccountMenu() {
  const member = me.value
  if (member === null) return <Skeleton class="size-10 rounded-full lg:mt-auto lg:h-12 lg:w-full lg:rounded-field" />
  return (
    <div class="lg:mt-auto">
      <Disclosure label={t().shell.account} button={<Face of={member} />}>
        <div class="grid gap-4 p-4">
          <p class="lg:hidden">
            <Names of={member} />
          </p>
          <Pockets />
          <Preferences />
        </div>
        <div class="grid gap-0.5 border-t border-line p-1.5">
          {leftOutOnPhone().map(({ address, icon, name }) => (
            <a key={address} href={address} class="btn btn-ghost justify-start gap-3 px-2.5 font-normal lg:hidden">
              <Icon of={icon} class="size-4.5" />
              {name()}
            </a>
          ))}
          <a href={addresses.recap} class="btn btn-ghost justify-start gap-3 px-2.5 font-normal">
            <Icon of={Sparkles} class="size-4.5" />
            {t().shell.recap}
          </a>
          <a href={addresses.me} class="btn btn-ghost justify-start gap-3 px-2.5 font-normal">
            <Icon of={UserRound} class="size-4.5" />
            {t().shell.me}
          </a>
          <LogOutButton />
        </div>
      </Disclosure>
    </div>
  )
}

function Face({ of }: { of: Me }) {
  return (
    <span class="flex min-w-0 items-center gap-3 text-start">
      <Avatar {...of} src={of.avatar} size="small" />
      <span class="min-w-0 max-lg:hidden">
        <Names of={of} />
      </span>
    </span>
  )
}

function Names({ of: { name, username } }: { of: Me }) {
  return (
    <>
      <span dir="auto" class="block truncate text-sm font-medium">
        {name}
      </span>
      <span class="block truncate text-xs text-muted">{username}</span>
    </>
  )
}

function LogOutButton() {
  const refusal = useSignal<string | null>(null)
  const { busy, run } = useAction(async () => {
    const failure = await logOut()
    refusal.value = failure && messageOf(failure)
  })
  return (
    <>
      {refusal.value !== null && <Notice kind="error">{refusal.value}</Notice>}
      <button type="button" class="btn btn-ghost justify-start gap-3 px-2.5 font-normal" aria-busy={busy} onClick={run}>
        <Icon of={LogOut} class="size-4.5" />
        {t().shell.logOut}
      </button>
    </>
  )
}

/** Appearance and language. */
function Preferences() {
  const { shell } = t()
  const looks = (["", ...appearances] as const).map((value) => ({ value, name: shell[value || "asDevice"] }))
  return (
    <>
      <Choice
        name="appearance"
        legend={shell.appearance}
        options={looks}
        chosen={appearance.value ?? ""}
        onChoose={(value) => chooseAppearance(value || null)}
      />
      <Choice
        name="language"
        legend={shell.language}
        options={languages.map((value) => ({ value, name: languageNames[value] }))}
        chosen={language.value}
        onChoose={(value) => void speak(value)}
      />
    </>
  )
}

interface ChoiceProps<Value extends string> {
  readonly name: string
  readonly legend: string
  readonly options: readonly { readonly value: Value; readonly name: string }[]
  readonly chosen: Value
  readonly onChoose: (value: Value) => void
}

function Choice<Value extends string>({ name, legend, options, chosen, onChoose }: ChoiceProps<Value>) {
  return (
    <fieldset>
      <legend class="mb-1.5 text-xs text-muted">{legend}</legend>
      <div class="flex flex-wrap gap-1 rounded-field bg-sunk p-1">
        {options.map((option) => (
          <label
            key={option.value}
            class="grid min-h-8 grow cursor-pointer place-content-center rounded-selector px-2 text-center text-sm has-checked:bg-raised has-checked:font-medium has-checked:shadow-xs has-focus-visible:outline-2 has-focus-visible:outline-primary pointer-coarse:min-h-11"
          >
            <input
              type="radio"
              class="sr-only"
              name={name}
              value={option.value}
              checked={option.value === chosen}
              onChange={() => onChoose(option.value)}
            />
            {option.name}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

interface DisclosureProps {
  /** The purpose of the button for screen readers, read before its content. */
  readonly label: string
  readonly button: ComponentChildren
  readonly children: ComponentChildren
}

/**
 * A button that opens a panel: below it on a phone, above it on a desktop. Escape, a click outside and a link inside
 * close it.
 */
function Disclosure({ label, button, children }: DisclosureProps) {
  const isOpen = useSignal(false)
  const id = useId()
  const root = useRef<HTMLDivElement>(null)
  const opener = useRef<HTMLButtonElement>(null)

  useLayoutEffect(() => {
    if (!isOpen.value) return
    const leave = (event: Event) => {
      if (event.target instanceof Node && !root.current?.contains(event.target)) isOpen.value = false
    }
    const follow = ({ target }: Event) => {
      if (target instanceof Element && target.closest("a") !== null) isOpen.value = false
    }
    const onKey = ({ key }: KeyboardEvent) => {
      if (key !== "Escape") return
      isOpen.value = false
      opener.current?.focus()
    }
    document.addEventListener("pointerdown", leave)
    document.addEventListener("focusin", leave)
    document.addEventListener("click", follow)
    document.addEventListener("keydown", onKey)
    return () => {
      document.removeEventListener("pointerdown", leave)
      document.removeEventListener("focusin", leave)
      document.removeEventListener("click", follow)
      document.removeEventListener("keydown", onKey)
    }
  }, [isOpen.value])

  return (
    <div ref={root} class="relative">
      <button
        ref={opener}
        type="button"
        aria-expanded={isOpen.value}
        aria-controls={id}
        class="flex min-h-11 min-w-[min(2.75rem,14vw)] items-center justify-center rounded-field hover:bg-base-300/60 aria-expanded:bg-base-300/60 max-lg:-me-2 lg:w-full lg:justify-start lg:px-2.5"
        onClick={() => {
          isOpen.value = !isOpen.value
        }}
      >
        <span class="sr-only">{label}</span>
        {button}
      </button>
      <div
        id={id}
        hidden={!isOpen.value}
        class="absolute end-0 z-50 mt-1 w-72 rounded-box border border-line bg-base-100 shadow-lg lg:start-0 lg:end-auto lg:bottom-full lg:mt-0 lg:mb-2"
      >
        {isOpen.value && children}
      </div>
    </div>
  )
}
