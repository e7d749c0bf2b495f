import { unwrap } from '@muster/client'
import { RequirePermission } from '@muster/react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { muster } from '../session/muster.ts'
import { useTexts } from '../texts/texts.ts'
import { Button } from '../ui/button.tsx'
import { Choice, Field } from '../ui/field.tsx'
import { say } from '../ui/toast.tsx'
import type { Attempt } from '../ui/use-attempt.ts'
import { changeRole, readPerson, type SeenPerson } from './person-calls.ts'
import { personTexts } from './person-texts.ts'

interface RoleFormProps {
  readonly seen: SeenPerson
  readonly name: string
  readonly attempt: Attempt
}

/** One of the roles of the installation, chosen by those who may list them; others type its id. */
export function RoleForm({ seen, name, attempt }: RoleFormProps) {
  const t = useTexts(personTexts)
  const former = seen.user.role
  const [role, setRole] = useState(former)
  const undo = async () => {
    await changeRole(await readPerson(seen.user.id), former)
    setRole(former)
  }
  const run = async () => {
    await changeRole(seen, role)
    say(t('roleChanged', { name, role }), { label: t('undo'), run: () => attempt.run(undo) })
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        attempt.run(run)
      }}
    >
      <RequirePermission resource="roles" action="list" fallback={<TypedRole role={role} onChange={setRole} />}>
        <ChosenRole role={role} onChange={setRole} />
      </RequirePermission>
      <Button type="submit" isBusy={attempt.isBusy} disabled={role === former}>
        {t('changeRole')}
      </Button>
    </form>
  )
}

interface RoleProps {
  readonly role: string
  readonly onChange: (role: string) => void
}

function ChosenRole({ role, onChange }: RoleProps) {
  const t = useTexts(personTexts)
  const list = useQuery({
    queryKey: ['roles'],
    queryFn: ({ signal }) => unwrap(muster.GET('/api/v1/admin/roles', { signal })),
  })
  if (list.isError) return <TypedRole role={role} onChange={onChange} />
  const others = list.data?.roles.filter(({ id }) => id !== role) ?? []
  return (
    <Choice label={t('role')} value={role} onChange={({ target }) => onChange(target.value)}>
      {[role, ...others.map(({ id }) => id)].sort().map((id) => (
        <option key={id}>{id}</option>
      ))}
    </Choice>
  )
}

function TypedRole({ role, onChange }: RoleProps) {
  const t = useTexts(personTexts)
  return (
    <Field
      label={t('role')}
      required
      pattern="[a-z][a-z0-9_\-]{0,62}"
      autoComplete="off"
      value={role}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}
