import type { Programme } from "../../domain/programme/model.ts"
import { maxReasonLength } from "../../domain/programme/programme-fields.ts"
import { fieldsOf } from "../chat/chat.ts"
import type { GiveRequest } from "../chat/give-request.ts"
import type { ChatTexts } from "../chat/words.ts"

/** The form's `callback_id`, and that of the shortcut that opens it. */
export const dialogId = "give"

/** Slack refuses a longer title. */
const maxTitle = 24

/** The form, as a view of Slack. */
export function dialogView(
  { title, send, cancel, ...labels }: ChatTexts["dialog"],
  { reason, reason_min, tag, tags }: Programme,
): object {
  const text = (words: string) => ({ type: "plain_text", text: words })
  const input = (id: keyof typeof labels, element: object, optional = false) => ({
    type: "input",
    block_id: id,
    label: text(labels[id]),
    element: { action_id: id, ...element },
    optional,
  })
  // Slack takes at most 100 options.
  const options = tags.slice(0, 100).map(({ name, emoji, description }) => ({
    text: text(emoji === null ? `#${name}` : `${emoji} #${name}`),
    value: name,
    // Slack cuts nothing off: it refuses a longer one.
    ...(description !== null && { description: text([...description].slice(0, 75).join("")) }),
  }))
  const isNeeded = reason === "required"
  return {
    type: "modal",
    callback_id: dialogId,
    title: text([...title].slice(0, maxTitle).join("")),
    submit: text(send),
    close: text(cancel),
    blocks: [
      input("to", { type: "users_select" }),
      input("value", { type: "number_input", is_decimal_allowed: false, min_value: "1" }),
      input(
        "reason",
        {
          type: "plain_text_input",
          multiline: true,
          max_length: maxReasonLength,
          ...(isNeeded && { min_length: Math.max(1, reason_min) }),
        },
        !isNeeded,
      ),
      ...(options.length === 0 ? [] : [input("tags", { type: "multi_static_select", options }, tag === "optional")]),
    ],
  }
}

/** What somebody entered in the form; null when the value is no number of points. */
export function requestIn(view: Readonly<Record<string, unknown>>): GiveRequest | null {
  const values = fieldsOf(fieldsOf(view.state).values)
  const field = (name: string) => fieldsOf(fieldsOf(values[name])[name])
  const value = String(field("value").value ?? "")
  if (!/^\d{1,16}$/.test(value) || Number(value) < 1) return null
  const chosen = field("tags").selected_options
  return {
    to: { id: String(field("to").selected_user ?? "") },
    value: Number(value),
    reason: String(field("reason").value ?? ""),
    tags: Array.isArray(chosen) ? chosen.map((option) => String(fieldsOf(option).value)) : [],
  }
}
