import { useEffect, useRef, useState } from 'react'
import { useTexts } from '../texts.ts'
import { Button } from '../ui/button.tsx'
import { Choice, Field } from '../ui/field.tsx'
import { type UsersFilters as Filters, userStatuses, usersSearch } from './calls.ts'
import { RoleChoice } from './role-choice.tsx'
import { usersTexts } from './texts.ts'

interface FilterBarProps {
  readonly filters: Filters
  readonly onChange: (filters: Filters) => void
}

/** After the last key: less than between two letters of one who types fast. */
const delayMs = 60

/** What is typed is looked for while it is typed. */
export function FilterBar({ filters, onChange }: FilterBarProps) {
  const t = useTexts(usersTexts)
  const [typed, setTyped] = useTyped(filters, onChange)
  const choose = (status: string) => onChange(usersSearch({ ...filters, status }))
  const prove = (emailProved: string) => onChange(usersSearch({ ...filters, emailProved }))
  return (
    <search className="users-filters">
      <Field
        label={t('search')}
        type="search"
        value={typed.q}
        autoComplete="off"
        spellCheck={false}
        onType={(value) => setTyped({ ...typed, q: value })}
      />
      <Choice label={t('status')} value={filters.status ?? ''} onType={choose}>
        <option value="">{t('anyStatus')}</option>
        {userStatuses.map((status) => (
          <option key={status} value={status}>
            {t(status)}
          </option>
        ))}
      </Choice>
      <RoleChoice
        role={typed.role}
        any={t('anyRole')}
        hint={t('roleHint')}
        onChange={(role) => setTyped({ ...typed, role })}
      />
      <Choice
        label={t('kind')}
        value={filters.administrator ?? ''}
        onType={(value) => onChange(usersSearch({ ...filters, administrator: value }))}
      >
        <option value="">{t('allKinds')}</option>
        <option value="true">{t('administrators')}</option>
      </Choice>
      <Choice label={t('address')} value={filters.emailProved ?? ''} onType={prove}>
        <option value="">{t('provedOrNot')}</option>
        <option value="true">{t('proved')}</option>
        <option value="false">{t('notProved')}</option>
      </Choice>
      {filters.orgId !== undefined && <OfOrganization {...{ filters, onChange }} />}
    </search>
  )
}

function OfOrganization({ filters: { orgId, ...others }, onChange }: FilterBarProps) {
  const t = useTexts(usersTexts)
  return (
    <p>
      {t('ofOrganization')} <code>{orgId}</code> <Button onClick={() => onChange(others)}>{t('ofAll')}</Button>
    </p>
  )
}

interface Typed {
  readonly q: string
  readonly role: string
}

/** What stands in the fields. The address follows after a moment; a change of the address, such as by “Back”, is shown at once. */
function useTyped(filters: Filters, onChange: (filters: Filters) => void) {
  const { q = '', role = '' } = filters
  const [typed, setTyped] = useState<Typed>({ q, role })
  const latest = useRef({ filters, onChange })
  latest.current = { filters, onChange }
  const isSame = typed.q.trim() === q && typed.role.trim() === role
  useEffect(() => setTyped({ q, role }), [q, role])
  useEffect(() => {
    if (isSame) return
    const timer = setTimeout(() => {
      const next = { ...latest.current.filters, q: typed.q.trim(), role: typed.role.trim() }
      latest.current.onChange(usersSearch(next))
    }, delayMs)
    return () => clearTimeout(timer)
  }, [typed, isSame])
  return [typed, setTyped] as const
}
