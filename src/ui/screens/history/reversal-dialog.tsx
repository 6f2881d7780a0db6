import { useMemo } from "preact/hooks"
import { fill } from "../../../languages/writing.ts"
import { Button, useAction } from "../../parts/button.tsx"
import { Dialog, DialogButtons } from "../../parts/dialog.tsx"
import { Form, FormField, useForm } from "../../parts/form.tsx"
import { api, request } from "../../server/api.ts"
import { requestOnce } from "../../server/once.ts"
import { refreshAccount } from "../../session.ts"
import { formatPoints } from "../../texts/format.ts"
import { t } from "../../texts/texts.ts"
import type { Entry } from "./view.ts"

interface ReversalDialogProps {
  readonly of: Entry
  readonly onClose: () => void
  readonly onDone: () => void
}

/** Asks how many points of a transaction are taken back, and why. */
export function ReversalDialog({ of, onClose, onDone }: ReversalDialogProps) {
  const { history } = t()
  const form = useForm(["value", "reason"])
  const left = of.value - of.reversed
  useMemo(() => {
    form.fields.value.value.value = String(left)
  }, [])

  const { busy, run } = useAction(async () => {
    form.clear()
    const value = /^\d+$/.test(form.of("value")) ? Number(form.of("value")) : 0
    if (value < 1 || value > left) form.fail("value", fill(history.reverseRange, { points: formatPoints(left) }))
    if (form.of("reason") === "") form.fail("reason", history.reverseNoReason)
    if (form.isWrong()) return
    const answer = await requestOnce(`reversal of ${of.id}`, (sent) =>
      request(api.api.v1.transactions({ id: String(of.id) }).reversal.post({ value, reason: form.of("reason") }, sent)),
    )
    if (answer.kind !== "done") return form.refuse(answer)
    void refreshAccount()
    onDone()
  })

  return (
    <Dialog title={history.reverseTitle} onClose={onClose}>
      <p>
        {fill(history.reverseLead, { from: of.to.name, to: of.from.name })}{" "}
        <span class="text-muted">{history.reverseFinal}</span>
      </p>
      <Form refusal={form.refusal.value} onSubmit={run}>
        <FormField of={form.fields.value} label={history.points} autoComplete="off" />
        <FormField of={form.fields.reason} label={history.reverseReason} autoComplete="off" />
        <DialogButtons onClose={onClose}>
          <Button busy={busy.value}>{history.reverse}</Button>
        </DialogButtons>
      </Form>
    </Dialog>
  )
}
