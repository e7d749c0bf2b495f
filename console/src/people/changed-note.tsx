import { useTexts } from '../texts/texts.ts'
import type { UserRecord } from './person-calls.ts'
import { personTexts } from './person-texts.ts'
import { peopleTexts } from './texts.ts'

const members = ['email', 'role', 'status'] as const

/** Both versions of a person who was changed meanwhile, side by side. */
export function ChangedNote({ before, now }: { readonly before: UserRecord; readonly now: UserRecord }) {
  const t = useTexts(personTexts)
  const people = useTexts(peopleTexts)
  return (
    <div className="note note-warning" role="alert">
      <p className="note-title">{t('changedTitle')}</p>
      <p>{t('changedWhat')}</p>
      <table className="versions">
        <thead>
          <tr>
            <th scope="col">{t('member')}</th>
            <th scope="col">{t('before')}</th>
            <th scope="col">{t('now')}</th>
          </tr>
        </thead>
        <tbody>
          {members
            .filter((member) => before[member] !== now[member])
            .map((member) => (
              <tr key={member}>
                <th scope="row">{people(member)}</th>
                <td>{before[member]}</td>
                <td>{now[member]}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </div>
  )
}
