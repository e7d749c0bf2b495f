import { RequirePermission } from '@muster/react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { muster } from '../session/muster.ts'
import { reading } from '../session/reading.ts'
import { useTexts } from '../texts.ts'
import { Choice, Field } from '../ui/field.tsx'
import { usersTexts } from './texts.ts'

interface RoleChoiceProps {
  readonly role: string
  readonly onChange: (role: string) => void
  /** For a choice of none: what it means. */
  readonly any?: string
  readonly hint?: ReactNode
}

/** One of the roles of the installation, chosen by those who may list them; others type its id. */
export function RoleChoice(props: RoleChoiceProps) {
  return (
    <RequirePermission resource="roles" action="list" fallback={<TypedRole {...props} />}>
      <ChosenRole {...props} />
    </RequirePermission>
  )
}

function ChosenRole(props: RoleChoiceProps) {
  const { role, onChange, any } = props
  const t = useTexts(usersTexts)
  const list = useQuery(reading(['roles'], (signal) => muster.GET('/api/v1/admin/roles', { signal })))
  if (list.isError) return <TypedRole {...props} />
  // The other roles are for members of organizations.
  const forAccounts = list.data?.roles.filter(({ forMembers }) => !forMembers) ?? []
  const ids = new Set([...(role === '' ? [] : [role]), ...forAccounts.map(({ id }) => id)])
  return (
    <Choice label={t('role')} value={role} onType={onChange}>
      {(any !== undefined || role === '') && <option value="">{any ?? t('chooseRole')}</option>}
      {[...ids].sort().map((id) => (
        <option key={id}>{id}</option>
      ))}
    </Choice>
  )
}

function TypedRole({ role, onChange, any, hint }: RoleChoiceProps) {
  const t = useTexts(usersTexts)
  return (
    <Field
      label={t('role')}
      {...(hint !== undefined && { hint })}
      required={any === undefined}
      pattern="[a-z][a-z0-9_\-]{0,62}"
      autoComplete="off"
      spellCheck={false}
      value={role}
      onType={onChange}
    />
  )
}
