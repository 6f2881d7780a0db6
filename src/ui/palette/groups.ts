import { ArrowRight } from "lucide"
import { personAt } from "../addresses.ts"
import type { Face } from "../people/find.ts"
import { fits } from "../people/fits.ts"
import { t } from "../texts/texts.ts"
import { type Act, actsFor } from "./acts.ts"
import { ownGoals } from "./goals.ts"
import type { Overlay } from "./shortcuts.tsx"

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
