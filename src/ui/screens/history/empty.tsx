import { useLocation } from "preact-iso"
import { addresses } from "../../addresses.ts"
import { t } from "../../texts/texts.ts"
import type { HistoryPage } from "./use-history.ts"
import { urlOf, type View } from "./view.ts"

/** Where no entries are, with the way on. */
export function Empty({ view, page }: { view: View; page: HistoryPage }) {
  const { history } = t()
  const { query } = useLocation()
  const isFiltered = view.user !== null || view.from_user !== null
  const [text, name, href] =
    page.total > 0
      ? [history.beyond, history.first, urlOf(query, { page: undefined })]
      : isFiltered
        ? [history.noneFits, history.showAll, urlOf(query, { user: undefined, from_user: undefined })]
        : [history.none, history.thank, addresses.home]
  return (
    <div class="grid justify-items-start gap-4 py-10">
      <p>{text}</p>
      <a class="btn btn-outline border-line font-medium" href={href}>
        {name}
      </a>
    </div>
  )
}
