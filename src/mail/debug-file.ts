import { open } from "node:fs/promises"
import { checked, headersOf, type Mailer, type Message } from "./mailer.ts"

/**
 * Appends each message to a local file instead of sending it (docs/interface.md, "Users").
 * The file is readable by its owner only: the links in it set passwords.
 */
export function createDebugFileMailer({ path }: { readonly path: string }): Mailer {
  return {
    async send(message, signal) {
      const entry = Buffer.from(entryOf(checked(message)))
      signal.throwIfAborted()
      const file = await open(path, "a", 0o600)
      try {
        // A single write, so that the entries of two processes do not mix.
        const { bytesWritten } = await file.write(entry)
        if (bytesWritten < entry.length)
          throw new Error("only a part of the message was written to the debug mail file")
        await file.sync()
      } finally {
        await file.close()
      }
    },
  }
}

function entryOf(message: Message): string {
  const { from, to, subject, text, html } = message
  const headers = Object.entries({ From: from, To: to, Subject: subject, ...headersOf(message) })
  const parts = [text, ...(html === undefined ? [] : ["--- HTML ---", html])]
  return `--- START EMAIL ${to} ---
${headers.map(([name, value]) => `${name}: ${value}`).join("\n")}

${parts.map((part) => part.trimEnd()).join("\n")}
--- END OF EMAIL ---
`
}
