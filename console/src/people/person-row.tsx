import { Link, useNavigate } from '@tanstack/react-router'
import { type MouseEvent, memo, type Ref } from 'react'
import { useTexts } from '../texts/texts.ts'
import { Mark, type Tone } from '../ui/mark.tsx'
import { Moment } from '../ui/moment.tsx'
import type { ListedUser } from './read-people.ts'
import { peopleTexts } from './texts.ts'

export const statusTones: Readonly<Record<ListedUser['status'], Tone>> = {
  active: 'good',
  disabled: 'warning',
  erasing: 'bad',
}

interface PersonRowProps {
  readonly user: ListedUser
  /** In the list, from 0. */
  readonly row: number
  readonly isSelected: boolean
  readonly onSelect: (user: ListedUser, row: number, isRange: boolean) => void
  readonly measure?: Ref<HTMLTableRowElement>
}

/** The link is for keyboards and screen readers; a click anywhere in the row does the same. */
export const PersonRow = memo(function PersonRow({ user, row, isSelected, onSelect, measure }: PersonRowProps) {
  const t = useTexts(peopleTexts)
  const navigate = useNavigate()
  const to = { to: '/people/$userId', params: { userId: user.id }, state: { fromList: true } } as const
  const name = user.email ?? user.id
  const open = ({ target }: MouseEvent) => {
    // The link itself also opens new tabs and windows.
    if (target instanceof Element && target.closest('a, label, input') === null) void navigate(to)
  }
  return (
    <tr
      ref={measure}
      data-index={row}
      data-id={user.id}
      aria-rowindex={row + 2}
      data-selected={isSelected}
      onClick={open}
    >
      <td className="select">
        <label>
          <input
            type="checkbox"
            aria-label={t('select', { name })}
            checked={isSelected}
            // The click has the key Shift, which the change has not.
            onClick={({ shiftKey }) => onSelect(user, row, shiftKey)}
            onChange={() => {}}
          />
        </label>
      </td>
      <td className="person-name">
        <Link {...to} className="person-link">
          {name}
        </Link>{' '}
        {user.email === undefined ? (
          <Mark tone="neutral">{t('noEmail')}</Mark>
        ) : (
          !user.emailProved && <Mark tone="unknown">{t('notProved')}</Mark>
        )}
      </td>
      <td data-label={t('role')}>
        {user.role} {user.isAdministrator && <Mark tone="neutral">{t('administrator')}</Mark>}
      </td>
      <td data-label={t('status')}>
        <Mark tone={statusTones[user.status]}>{t(user.status)}</Mark>
      </td>
      <td data-label={t('plan')}>{user.plan ?? <Mark tone="neutral">{t('noPlan')}</Mark>}</td>
      <td data-label={t('created')}>
        <Moment at={user.createdAt} />
      </td>
      <td data-label={t('lastSignIn')}>
        {user.lastSignInAt === undefined ? (
          <Mark tone="unknown">{t('notKnown')}</Mark>
        ) : (
          <Moment at={user.lastSignInAt} />
        )}
      </td>
    </tr>
  )
})
