import { useSignal } from "@preact/signals"
import { useLocation } from "preact-iso"
import { addresses } from "../addresses.ts"
import { Button, useAction } from "../parts/button.tsx"
import { Form, useAutofocus } from "../parts/form.tsx"
import { OwnPassword, useOwnPassword } from "../parts/own-password.tsx"
import { useTitle } from "../screen.ts"
import { api, request } from "../server/api.ts"
import { logIn, loginNotice, openChallenge } from "../session.ts"
import { LoginLayout } from "../shell/login-layout.tsx"
import { t } from "../texts/texts.ts"
import { resetToken } from "../url-secrets.ts"

export function Reset() {
  const { reset } = t()
  useTitle(reset.title)
  const isSpent = useSignal(false)
  const link = resetToken()
  if (link === null) return <NewLink title={reset.missingTitle} lead={reset.missingLink} />
  if (isSpent.value) return <NewLink title={reset.spentTitle} lead={reset.spent} />
  return <NewPassword {...link} onSpent={() => (isSpent.value = true)} />
}

interface NewPasswordProps {
  readonly token: string
  readonly username: string
  readonly onSpent: () => void
}

function NewPassword({ token, username, onSpent }: NewPasswordProps) {
  const { reset } = t()
  const { route } = useLocation()
  const chosen = useOwnPassword({ asksCurrent: false })
  const { fields, refusal } = chosen.form
  useAutofocus(fields.password.input)

  const { busy, run } = useAction(async () => {
    if (chosen.isWrong()) return

    const answer = await request(
      api.user({ username }).password.post(chosen.body(), {
        query: { pwd_reset_token: token },
        // Only the link counts: a session that is open in this browser must not set a password.
        fetch: { credentials: "omit" },
      }),
    )
    if (answer.kind === "refused" && (answer.status === 403 || answer.status === 404)) return onSpent()
    if (answer.kind !== "done") {
      chosen.form.refuse(answer)
      if (!chosen.form.isWrong()) fields.password.input.current?.focus()
      return
    }
    const failure = await logIn(username, fields.password.value.peek())
    if (failure !== null) loginNotice.value = "changed"
    // The log-in page has the second step, if there is one.
    route(failure === null && openChallenge.peek() === null ? addresses.home : addresses.login, true)
  })

  return (
    <LoginLayout title={reset.title}>
      <Form refusal={refusal.value} onSubmit={run}>
        <OwnPassword of={chosen} username={username} />
        <Button busy={busy.value} wide>
          {reset.submit}
        </Button>
      </Form>
    </LoginLayout>
  )
}

function NewLink({ title, lead }: { title: string; lead: string }) {
  return (
    <LoginLayout title={title} lead={lead}>
      <a href={addresses.forgot} class="btn btn-primary btn-block font-medium">
        {t().reset.ask}
      </a>
    </LoginLayout>
  )
}
