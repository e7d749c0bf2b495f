import { useRef } from 'react'
import { useTexts } from '../texts.ts'
import { PageButtons } from '../ui/pages.tsx'
import type { Bulk } from './bulk.ts'
import type { UsersPage, UsersSearch } from './calls.ts'
import { useRowKeys } from './list-keys.ts'
import { ListHead, UserRow } from './rows.tsx'
import { usersTexts } from './texts.ts'
import { type Between, useSelection, WithSelected } from './with-selected.tsx'

export interface UserListProps {
  readonly search: UsersSearch
  /** Of the search before, while the next one is read. */
  readonly isOld: boolean
  readonly onOpen: (search: UsersSearch) => void
  /** What is done with many users goes on while another list is opened. */
  readonly bulk: Bulk
}

/** A page at a time: for screen readers, and for those who like it. */
export function PagedList({ page, search, isOld, onOpen, bulk }: UserListProps & { readonly page: UsersPage }) {
  const t = useTexts(usersTexts)
  const { users } = page
  const body = useRef<HTMLTableSectionElement>(null)
  const between = useRef<Between>(() => [])
  between.current = ([one, other]) => users.slice(Math.min(one, other), Math.max(one, other) + 1)
  const selection = useSelection(between)
  const isSelected = (id: string) => selection.users.has(id)
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
      <table className="users" aria-busy={isOld}>
        <ListHead
          sort={sort}
          onSort={(by) => onOpen({ ...filters, sort: by })}
          isAllSelected={users.length > 0 && users.every(({ id }) => isSelected(id))}
          onSelectAll={(isOn) => (isOn ? selection.add(users) : selection.clear())}
        />
        <tbody ref={body}>
          {users.map((user, row) => (
            <UserRow
              key={user.id}
              user={user}
              row={row}
              isSelected={isSelected(user.id)}
              onSelect={(one, at, isRange) => (isRange ? selection.extend(one, at) : selection.toggle(one, at))}
            />
          ))}
        </tbody>
      </table>
      <PageButtons name={t('title')} page={page} onOpen={(cursor) => onOpen({ ...search, cursor })} />
      <WithSelected {...{ selection, bulk }} />
    </>
  )
}
