import { useTexts } from '../texts/texts.ts'
import type { PeopleSearch } from './search.ts'
import { peopleTexts } from './texts.ts'

type Sort = NonNullable<PeopleSearch['sort']>

interface PeopleHeadProps {
  readonly sort: Sort | undefined
  readonly onSort: (sort: Sort) => void
  /** Whether all that are in view are chosen. */
  readonly isAllSelected: boolean
  readonly onSelectAll: (isOn: boolean) => void
}

export function PeopleHead({ sort = '-created', onSort, isAllSelected, onSelectAll }: PeopleHeadProps) {
  const t = useTexts(peopleTexts)
  const heads = { sort, onSort }
  return (
    <thead>
      <tr aria-rowindex={1}>
        <th scope="col" className="select">
          <label>
            <input
              type="checkbox"
              aria-label={t('selectAll')}
              title={t('selectAll')}
              checked={isAllSelected}
              onChange={({ target }) => onSelectAll(target.checked)}
            />
          </label>
        </th>
        <SortableHead {...heads} by="email" />
        <th scope="col">{t('role')}</th>
        <th scope="col">{t('status')}</th>
        <th scope="col">{t('plan')}</th>
        <SortableHead {...heads} by="created" />
        <th scope="col">{t('lastSignIn')}</th>
      </tr>
    </thead>
  )
}

interface SortableHeadProps {
  readonly by: 'email' | 'created'
  readonly sort: Sort
  readonly onSort: (sort: Sort) => void
}

function SortableHead({ by, sort, onSort }: SortableHeadProps) {
  const t = useTexts(peopleTexts)
  const direction = sort === by ? 'ascending' : sort === `-${by}` ? 'descending' : 'none'
  return (
    <th scope="col" className={`column-${by}`} aria-sort={direction}>
      <button
        type="button"
        className="sort"
        title={t('sortBy', { column: t(by) })}
        onClick={() => onSort(direction === 'ascending' ? `-${by}` : by)}
      >
        {t(by)}{' '}
        <span aria-hidden="true">{direction === 'ascending' ? '↑' : direction === 'descending' ? '↓' : ''}</span>
      </button>
    </th>
  )
}
