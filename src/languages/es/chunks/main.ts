import { feed } from "../app/feed.ts"
import { home } from "../app/home.ts"
import { kinds } from "../app/kinds.ts"
import { offline } from "../app/last-feed.ts"
import { login } from "../app/login.ts"
import { occasions } from "../app/occasions.ts"
import { palette } from "../app/palette.ts"
import { failures, live, missing, parts } from "../app/parts.ts"
import { person } from "../app/person.ts"
import { pockets } from "../app/pockets.ts"
import { received } from "../app/received.ts"
import { noScript, shell } from "../app/shell.ts"
import { give } from "../app/transfer.ts"
import { points, units } from "../points.ts"

/** The texts that every page loads. */
export const texts = {
  noScript,
  units,
  points,
  kinds,
  pockets,
  shell,
  login,
  home,
  give,
  feed,
  received,
  occasions,
  person,
  palette,
  missing,
  parts,
  live,
  offline,
  failures,
}
