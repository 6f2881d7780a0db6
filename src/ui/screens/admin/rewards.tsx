import { type Signal, useSignal } from "@preact/signals"
import { Plus } from "lucide"
import { useMemo } from "preact/hooks"
import { fill } from "../../../languages/writing.ts"
import { Button, useAction } from "../../parts/button.tsx"
import { Dialog, DialogButtons } from "../../parts/dialog.tsx"
import { Form, FormField, TextArea, useForm } from "../../parts/form.tsx"
import { Icon } from "../../parts/icon.tsx"
import { Empty, LoadFailure } from "../../parts/placeholders.tsx"
import { shrinkPicture } from "../../parts/shrink-picture.ts"
import { api, request, upload } from "../../server/api.ts"
import { requestOnce } from "../../server/once.ts"
import { formatPlural, formatPoints } from "../../texts/format.ts"
import { t } from "../../texts/texts.ts"
import { Cover, type Reward, useRewards } from "../rewards/catalogue.tsx"
import { AdminLayout } from "./admin-layout.tsx"
import { Requests } from "./redemptions.tsx"

/** The catalogue of rewards, and people's requests. */
export function AdminRewards() {
  const { rewards } = t()
  return (
    <AdminLayout title={rewards.title} isPart>
      <Requests />
      <Items />
    </AdminLayout>
  )
}

AdminRewards.prefetch = () => useRewards.prefetch(null)

/** All rewards, with buttons to add one and to change one. */
function Items() {
  const { rewardAdmin, rewards } = t()
  const { data, failure, refresh } = useRewards(null)
  const editing = useSignal<Reward | "new" | null>(null)
  const done = () => {
    editing.value = null
    void refresh()
  }

  return (
    <section class="mt-10">
      <div class="flex flex-wrap items-center justify-between gap-2">
        <h2 class="text-sm font-medium text-muted">{rewardAdmin.items}</h2>
        <Button look="plain" onClick={() => (editing.value = "new")}>
          <Icon of={Plus} class="size-4.5" />
          {rewardAdmin.add}
        </Button>
      </div>
      {failure !== null && <LoadFailure failure={failure} onRetry={refresh} />}
      {data?.items.length === 0 && <Empty drawing="gift">{rewardAdmin.emptyAdmin}</Empty>}
      <ul class="divide-y divide-line">
        {data?.items.map((reward) => (
          <li key={reward.id} class="flex flex-wrap items-center gap-4 py-3">
            <span class="size-16 overflow-hidden rounded-field">
              <Cover of={reward} size="text-3xl" />
            </span>
            <div class="min-w-[min(10rem,100%)] flex-1">
              <p dir="auto" class="font-medium">
                {reward.name}
              </p>
              <p class="flex flex-wrap gap-x-3 text-sm text-muted">
                <span class="tabular-nums">{formatPoints(reward.cost)}</span>
                {reward.stock !== null && <span>{formatPlural(reward.stock, rewards.left)}</span>}
                {reward.limit_per_person !== null && (
                  <span>{formatPlural(reward.limit_per_person, rewards.limit)}</span>
                )}
                {!reward.active && <span>{rewardAdmin.inactive}</span>}
                {reward.wishes !== null && reward.wishes > 0 && (
                  <span class="text-warm">{formatPlural(reward.wishes, rewardAdmin.wished)}</span>
                )}
              </p>
            </div>
            <button
              type="button"
              class="btn btn-ghost font-medium"
              aria-label={fill(rewardAdmin.editOne, { name: reward.name })}
              onClick={() => (editing.value = reward)}
            >
              {rewardAdmin.edit}
            </button>
          </li>
        ))}
      </ul>
      {editing.value !== null && (
        <RewardDialog
          of={editing.value === "new" ? null : editing.value}
          onClose={() => (editing.value = null)}
          onDone={done}
        />
      )}
    </section>
  )
}

/** The server's limit, in characters. */
const maxDescription = 1000

interface RewardDialogProps {
  /** The reward to change; null adds a new one. */
  readonly of: Reward | null
  readonly onClose: () => void
  readonly onDone: () => void
}

/** Adds or changes a reward, with its picture. */
function RewardDialog({ of: reward, onClose, onDone }: RewardDialogProps) {
  const { rewardAdmin } = t()
  const form = useForm(["name", "cost", "stock", "limit_per_person", "money_value", "emoji"])
  const { name, cost, stock, limit_per_person: limit, money_value: money, emoji } = form.fields
  const description = useSignal(reward?.description ?? "")
  const isActive = useSignal(reward?.active ?? true)
  const isTaxable = useSignal(reward?.taxable ?? false)
  const picture = useSignal<Blob | null>(null)
  const pictureName = useSignal("")
  /** The id of the reward once it is stored: after a refused picture, another attempt must not add a second reward. */
  const storedId = useSignal(reward?.id ?? null)
  useMemo(() => {
    name.value.value = reward?.name ?? ""
    cost.value.value = textOf(reward?.cost)
    stock.value.value = textOf(reward?.stock)
    limit.value.value = textOf(reward?.limit_per_person)
    money.value.value = textOf(reward?.money_value)
    emoji.value.value = reward?.emoji ?? ""
  }, [])

  const { busy, run } = useAction(async () => {
    form.clear()
    if (form.of("name") === "") form.fail("name", rewardAdmin.missingName)
    if (form.of("cost") === "") form.fail("cost", rewardAdmin.wrongNumber)
    for (const field of ["cost", "stock", "limit_per_person"] as const)
      if (!/^\d{0,16}$/.test(form.of(field))) form.fail(field, rewardAdmin.wrongNumber)
    if (!/^(\d{1,10}([.,]\d{1,3})?)?$/.test(form.of("money_value"))) form.fail("money_value", rewardAdmin.wrongMoney)
    if (form.isWrong()) return
    const words = description.value.trim()
    const body = {
      name: form.of("name"),
      description: words === "" ? null : words,
      cost: Number(form.of("cost")),
      stock: numberIn(form.of("stock")),
      limit_per_person: numberIn(form.of("limit_per_person")),
      active: isActive.value,
      money_value: numberIn(form.of("money_value").replace(",", ".")),
      taxable: isTaxable.value,
      emoji: form.of("emoji") || null,
    }
    const id = storedId.value
    const answer = await (id === null
      ? requestOnce("reward", (sent) => request(api.api.v1.rewards.post(body, sent)))
      : request(api.api.v1.rewards({ id: String(id) }).patch(body)))
    if (answer.kind !== "done") {
      form.refuse(answer)
      return void form.isWrong()
    }
    storedId.value = answer.data.id
    const uploaded = picture.value && (await putPicture(answer.data.id, picture.value))
    if (uploaded && uploaded.kind !== "done") return form.refuse(uploaded)
    onDone()
  })

  const take = async (file: File | undefined) => {
    if (file === undefined) return
    picture.value = await shrinkPicture(file, "cover")
    pictureName.value = picture.value === null ? rewardAdmin.noPicture : file.name
  }

  return (
    <Dialog title={reward === null ? rewardAdmin.add : reward.name} onClose={onClose}>
      <Form refusal={form.refusal.value} onSubmit={run}>
        <FormField label={rewardAdmin.name} of={name} autoComplete="off" />
        <TextArea label={rewardAdmin.description} value={description} max={maxDescription} rows={2} />
        <FormField label={rewardAdmin.cost} of={cost} autoComplete="off" />
        <FormField label={rewardAdmin.stock} of={stock} autoComplete="off" />
        <FormField label={rewardAdmin.limitField} of={limit} autoComplete="off" />
        <FormField label={rewardAdmin.moneyValue} of={money} autoComplete="off" />
        <CheckBox label={rewardAdmin.taxable} isChecked={isTaxable} />
        <div class="grid gap-1.5">
          <FormField label={rewardAdmin.emoji} of={emoji} autoComplete="off" />
          <div class="flex flex-wrap gap-1">
            {usualCovers.map((one) => (
              <button
                key={one}
                type="button"
                class="btn btn-ghost btn-square btn-sm text-xl"
                aria-pressed={emoji.value.value === one}
                onClick={() => (emoji.value.value = one)}
              >
                {one}
              </button>
            ))}
          </div>
        </div>
        <div class="grid gap-1.5">
          <span class="text-sm font-medium">{rewardAdmin.picture}</span>
          <label class="btn btn-outline justify-self-start border-line font-medium has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-primary">
            <input
              type="file"
              accept="image/*"
              class="sr-only"
              onChange={({ currentTarget }) => void take(currentTarget.files?.[0])}
            />
            {rewardAdmin.choosePicture}
          </label>
          <p role="status" class="text-sm text-muted empty:hidden">
            {pictureName.value}
          </p>
        </div>
        <CheckBox label={rewardAdmin.active} isChecked={isActive} />
        <DialogButtons onClose={onClose}>
          <Button busy={busy.value}>{rewardAdmin.save}</Button>
        </DialogButtons>
      </Form>
    </Dialog>
  )
}

function CheckBox({ label, isChecked }: { readonly label: string; readonly isChecked: Signal<boolean> }) {
  return (
    <label class="flex min-h-11 items-center gap-2">
      <input
        type="checkbox"
        class="checkbox"
        checked={isChecked.value}
        onChange={({ currentTarget }) => {
          isChecked.value = currentTarget.checked
        }}
      />
      {label}
    </label>
  )
}

const usualCovers = ["☕", "🍽️", "🎬", "📚", "🎧", "🎟️", "👕", "🚲", "🌱", "💝", "🏖️", "🎁"]

const textOf = (value: number | null | undefined): string => (value == null ? "" : String(value))

const numberIn = (text: string): number | null => (text === "" ? null : Number(text))

const putPicture = (id: number, picture: Blob) =>
  upload<unknown>(`/api/v1/rewards/${id}/picture`, { method: "PUT", body: picture })
