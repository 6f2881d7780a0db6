import type { Plural } from "../../../writing.ts"

export const departments = {
  title: "Departments",
  adminLead: "Rename or merge departments",
  lead: "A department exists as long as someone is in it. A new name applies to everyone in it and to its allowances. If another department already has the name, the two are merged.",
  superusers: "superusers",
  own: "your own: a superuser renames it",
  left: "Everyone in it has left",
  rename: "Rename",
  renameTitle: "Rename {name}",
  newName: "New name",
  missing: "Enter a name.",
  same: "That is already its name.",
  next: "Continue",
  moves: {
    one: "# person moves from {from} to {to}.",
    other: "# people move from {from} to {to}.",
  } as Plural,
  movesLeft: "Everyone in {from} has left. Their accounts move to {to}.",
  follows: {
    one: "# allowance for {from} will apply to everyone in {to}.",
    other: "# allowances for {from} will apply to everyone in {to}.",
  } as Plural,
  joins: {
    one: "{to} already exists, with # person. Afterwards no one can tell the two apart. This can't be undone.",
    other: "{to} already exists, with # people. Afterwards no one can tell the two apart. This can't be undone.",
  } as Plural,
  joinsLeft:
    "{to} already exists; everyone in it has left. Afterwards no one can tell the two apart. This can't be undone.",
  merge: "Merge",
  done: { one: "# person has moved to {to}.", other: "# people have moved to {to}." } as Plural,
  doneLeft: "The name is now {to}.",
}
