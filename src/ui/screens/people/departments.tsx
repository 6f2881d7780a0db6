import { useDepartments } from "../../people/departments.ts"
import { formatNumber } from "../../texts/format.ts"
import { t } from "../../texts/texts.ts"

interface DepartmentsProps {
  /** Empty: all. */
  readonly chosen: string
  readonly onChoose: (name: string) => void
}

/** Only the people of one department, or everybody. */
export function Departments({ chosen, onChoose }: DepartmentsProps) {
  const { people } = t()
  const { data } = useDepartments(null)
  const departments = data?.items ?? []
  const all = departments.reduce((sum, one) => sum + one.people, 0)
  const isListed = chosen === "" || departments.some(({ name }) => name === chosen)
  return (
    <select
      class="select w-auto max-w-full border-base-content/45 sm:max-w-60"
      aria-label={people.department}
      value={chosen}
      onChange={(event) => onChoose(event.currentTarget.value)}
    >
      <option value="">{counted(people.departments, data && all)}</option>
      {!isListed && <option value={chosen}>{chosen}</option>}
      {departments.map((one) => (
        <option key={one.name} value={one.name}>
          {counted(one.name, one.people)}
        </option>
      ))}
    </select>
  )
}

const counted = (name: string, count: number | null) => (count === null ? name : `${name} (${formatNumber(count)})`)
