import { useState } from 'react'
import { useTexts } from '../texts/texts.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { say } from '../ui/toast.tsx'
import type { Attempt } from '../ui/use-attempt.ts'
import { changeRole, readPerson, type SeenPerson } from './person-calls.ts'
import { personTexts } from './person-texts.ts'

interface RoleFormProps {
  readonly seen: SeenPerson
  readonly name: string
  readonly attempt: Attempt
}

/** Every installation has its own roles, so the id is typed; those that all have are offered. */
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
      <Field
        label={t('role')}
        list="roles"
        required
        pattern="[a-z][a-z0-9_\-]{0,62}"
        autoComplete="off"
        value={role}
        onChange={({ target }) => setRole(target.value)}
      />
      <datalist id="roles">
        <option value="user" />
        <option value="admin" />
      </datalist>
      <Button type="submit" isBusy={attempt.isBusy} disabled={role === former}>
        {t('changeRole')}
      </Button>
    </form>
  )
}
