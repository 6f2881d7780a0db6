import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { useLocation } from "preact-iso"
import { fill } from "../../languages/writing.ts"
import { addresses } from "../addresses.ts"
import { Button, useAction } from "../parts/button.tsx"
import { Form, useAutofocus } from "../parts/form.tsx"
import { OwnPassword, useOwnPassword } from "../parts/own-password.tsx"
import { useTitle } from "../screen.ts"
import { api, fetchJson, request } from "../server/api.ts"
import { logIn, loginNotice, openChallenge } from "../session.ts"
import { LoginLayout } from "../shell/login-layout.tsx"
import { t } from "../texts/texts.ts"
import { type ResetLink, resetLink } from "../url-secrets.ts"

export function Reset() {
  const { reset } = t()
  useTitle(reset.title)
  const isSpent = useSignal(false)
  const link = resetLink()
  if (link === null) return <NewLink title={reset.missingTitle} lead={reset.missingLink} />
  if (isSpent.value) return <NewLink title={reset.spentTitle} lead={reset.spent} />
  return <NewPassword {...link} onSpent={() => (isSpent.value = true)} />
}

interface NewPasswordProps extends ResetLink {
  readonly onSpent: () => void
}

function NewPassword({ token, username, name, onSpent }: NewPasswordProps) {
  const { reset } = t()
  const { route } = useLocation()
  const chosen = useOwnPassword({ asksCurrent: false })
  const { fields, refusal } = chosen.form
  const isAccepted = useSignal(false)
  useAutofocus(fields.password.input)
  useEffect(() => {
    void judge(token, username).then((judgement) => {
      if (judgement === "spent") onSpent()
      isAccepted.value = judgement === "accepted"
    })
  }, [])

  const { busy, run } = useAction(async () => {
    if (chosen.isWrong()) return

    const answer = await request(
      api.user({ username }).password.post(chosen.body(), {
        query: { pwd_reset_token: token },
        // Only the link counts: a session that is open in this browser must not set a password.
        fetch: { credentials: "omit" },
      }),
    )
    if (answer.kind === "refused" && isSpent(answer.status)) return onSpent()
    if (answer.kind !== "done") {
      chosen.form.refuse(answer)
      if (!chosen.form.isWrong()) fields.password.input.current?.focus()
      return
    }
    // Whoever got the link may have another username since.
    const failure = await logIn(answer.data.username, fields.password.value.peek())
    if (failure !== null) loginNotice.value = "changed"
    // The log-in page has the second step, if there is one.
    route(failure === null && openChallenge.peek() === null ? addresses.home : addresses.login, true)
  })

  const welcome = isAccepted.value ? fill(reset.welcomeByName, { name: name ?? "" }) : reset.welcome
  return (
    <LoginLayout title={name === null ? reset.title : welcome}>
      <Form refusal={refusal.value} onSubmit={run}>
        <OwnPassword of={chosen} username={username} />
        <Button busy={busy.value} wide>
          {reset.submit}
        </Button>
      </Form>
    </LoginLayout>
  )
}

/**
 * Whether the server accepts the link; null if it cannot be reached. The request has no password, so it changes nothing:
 * the server judges the link before it reads the body, and refuses the body after that.
 */
async function judge(token: string, username: string): Promise<"accepted" | "spent" | null> {
  const path = `/user/${encodeURIComponent(username)}/password?${new URLSearchParams({ pwd_reset_token: token })}`
  const headers = { "content-type": "application/json" }
  const answer = await fetchJson(fetch(path, { method: "POST", credentials: "omit", headers, body: "{}" }))
  if (answer.kind !== "refused") return null
  if (isSpent(answer.status)) return "spent"
  return answer.status === 422 ? "accepted" : null
}

const isSpent = (status: number): boolean => status === 403 || status === 404

function NewLink({ title, lead }: { title: string; lead: string }) {
  return (
    <LoginLayout title={title} lead={lead}>
      <a href={addresses.forgot} class="btn btn-primary btn-block font-medium">
        {t().reset.ask}
      </a>
    </LoginLayout>
  )
}
