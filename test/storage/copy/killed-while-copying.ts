import { copyBetween } from "./support.ts"

/**
 * Copies a database, and dies right before one of the writes. Arguments: from, to, and the number of that write, from
 * 1.
 */
const [from = "", to = "", at = ""] = process.argv.slice(2)
let writes = 0
const counted =
  <Page extends unknown[]>(write: (...page: Page) => Promise<void>) =>
  (...page: Page) => {
    writes += 1
    if (writes === Number(at)) process.kill(process.pid, "SIGKILL")
    return write(...page)
  }
await copyBetween(from, to, (target) => ({
  ...target,
  write: counted(target.write),
  append: counted(target.append),
  complete: counted(target.complete),
  publish: counted(target.publish),
}))
