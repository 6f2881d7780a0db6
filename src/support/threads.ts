/**
 * Where a thread finds its entry point, a module of `threads` in build.ts: in the executable by the name that the build gives it,
 * from the sources in its file. `path` is below src/.
 */
export function threadUrl(path: string): string {
  const isInExecutable = /\/(\$bunfs|~BUN)\//.test(import.meta.url)
  return isInExecutable ? `./${path}` : new URL(`../${path}`, import.meta.url).href
}
