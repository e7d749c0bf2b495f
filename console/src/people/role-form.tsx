import { useState } from 'react'
import { useTexts } from '../texts/texts.ts'
import { Button } from '../ui/button.tsx'
import { say } from '../ui/toast.tsx'
import type { Attempt } from '../ui/use-attempt.ts'
import { changeRole, readPerson, type SeenPerson } from './person-calls.ts'
import { personTexts } from './person-texts.ts'
import { RoleChoice } from './role-choice.tsx'

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
      <RoleChoice role={role} onChange={setRole} />
      <Button type="submit" isBusy={attempt.isBusy} disabled={role === former}>
        {t('changeRole')}
      </Button>
    </form>
  )
}
