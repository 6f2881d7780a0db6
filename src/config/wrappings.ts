const wrappings = [
  {
    pattern: /^(["'`]).*\1$|^[“„«].*[”“»]$/su,
    without: "without the quotation marks around it",
    problem: "the value begins and ends with a quotation mark, which is part of it",
    cure: "remove both, unless they are meant: `docker --env-file`, systemd credentials and files of secrets keep them",
  },
  {
    pattern: /^[\s\p{Cf}]|[\s\p{Cf}]$/u,
    without: "without the blank, line end or invisible character around it",
    problem: "the value begins or ends with a blank, a line end or an invisible character, which is part of it",
    cure: "remove it, unless it is meant: `printf %s` writes a file without a line end, and only one line end is left out",
  },
] as const

/**
 * What stands around a text and came from the way in which it was given. It counts, because a password may have it. Nothing here
 * shows the text.
 */
export const wrappingsOf = (text: string) => wrappings.filter(({ pattern }) => pattern.test(text))
