import { useRef } from 'react'
import { useTexts } from '../texts/texts.ts'
import { Button } from '../ui/button.tsx'
import type { Bulk } from './bulk/use-bulk.ts'
import { PeopleHead } from './people-head.tsx'
import { PersonRow } from './person-row.tsx'
import type { PeoplePage } from './read-people.ts'
import type { PeopleSearch } from './search.ts'
import { peopleTexts } from './texts.ts'
import { useRowKeys } from './use-row-keys.ts'
import { type Between, useSelection } from './use-selection.ts'
import { WithSelected } from './with-selected.tsx'

export interface PeopleListProps {
  readonly search: PeopleSearch
  /** Of the search before, while the next one is read. */
  readonly isOld: boolean
  readonly onOpen: (search: PeopleSearch) => void
  /** What is done with many people goes on while another list is opened. */
  readonly bulk: Bulk
}

/** A page at a time: for screen readers, and for those who like it. */
export function PeoplePages({ page, search, isOld, onOpen, bulk }: PeopleListProps & { readonly page: PeoplePage }) {
  const t = useTexts(peopleTexts)
  const { users, next, prev } = page
  const body = useRef<HTMLTableSectionElement>(null)
  const between = useRef<Between>(() => [])
  between.current = ([one, other]) => users.slice(Math.min(one, other), Math.max(one, other) + 1)
  const selection = useSelection(between)
  const isSelected = (id: string) => selection.people.has(id)
  useRowKeys({
    body,
    count: users.length,
    onSelect: (row) => {
      const user = users[row]
      if (user) selection.toggle(user, row)
    },
    onClear: selection.clear,
  })
  const { cursor: _, sort, ...filters } = search
  return (
    <>
      <table className="people" aria-busy={isOld}>
        <PeopleHead
          sort={sort}
          onSort={(by) => onOpen({ ...filters, sort: by })}
          isAllSelected={users.length > 0 && users.every(({ id }) => isSelected(id))}
          onSelectAll={(isOn) => (isOn ? selection.add(users) : selection.clear())}
        />
        <tbody ref={body}>
          {users.map((user, row) => (
            <PersonRow
              key={user.id}
              user={user}
              row={row}
              isSelected={isSelected(user.id)}
              onSelect={(one, at, isRange) => (isRange ? selection.extend(one, at) : selection.toggle(one, at))}
            />
          ))}
        </tbody>
      </table>
      <nav className="buttons" aria-label={t('title')}>
        <Button disabled={!prev} onClick={() => prev && onOpen({ ...search, cursor: prev })}>
          {t('previous')}
        </Button>
        <Button disabled={!next} onClick={() => next && onOpen({ ...search, cursor: next })}>
          {t('next')}
        </Button>
      </nav>
      <WithSelected {...{ selection, bulk }} />
    </>
  )
}
