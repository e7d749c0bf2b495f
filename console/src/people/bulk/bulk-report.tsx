import { Link } from '@tanstack/react-router'
import { useTexts } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { requestIdOf, useSentence } from '../../ui/problem-note.tsx'
import { ChangedMeanwhile } from '../person-calls.ts'
import { type Result, undoOf } from './run-bulk.ts'
import { bulkTexts } from './texts.ts'
import type { Bulk } from './use-bulk.ts'

/** How far it is, and then what was done and what was not. */
export function BulkReport({ bulk }: { readonly bulk: Bulk }) {
  const t = useTexts(bulkTexts)
  const { jobs, results, isRunning } = bulk
  const of = (kind: Result['kind']) => results.filter((result) => result.kind === kind)
  const kind = jobs[0]?.action.kind ?? 'disable'
  const role = jobs[0]?.action.kind === 'role' ? jobs[0].action.role : ''
  const [done, already, notTried] = [of('done').length, of('already').length, of('notTried').length]
  const failed = results.filter((result) => result.kind === 'failed')
  if (isRunning)
    return (
      <div className="selected-actions">
        <progress aria-label={t(`${kind}Running`, { role })} value={results.length} max={jobs.length} />
        <span>{t('progress', { done: results.length, all: jobs.length })}</span>
        <Button onClick={bulk.cancel}>{t('cancel')}</Button>
      </div>
    )
  return (
    <div className="report" role={failed.length > 0 ? 'alert' : 'status'}>
      <p>
        <strong>{t(`${kind}Done`, { done, all: jobs.length, role })}</strong>{' '}
        {already > 0 && t('already', { count: already })} {failed.length > 0 && t('failed', { count: failed.length })}{' '}
        {notTried > 0 && t('notTried', { count: notTried })}
      </p>
      {failed.length > 0 && (
        <ul className="plain report-failures">
          {failed.map((result) => (
            <Failure key={result.job.user.id} {...result} />
          ))}
        </ul>
      )}
      <div className="selected-actions">
        {undoOf(results).length > 0 && <Button onClick={() => void bulk.start(undoOf(results))}>{t('undo')}</Button>}
        <Button look="text" onClick={bulk.close}>
          {t('close')}
        </Button>
      </div>
    </div>
  )
}

function Failure({ job: { user }, error }: Extract<Result, { kind: 'failed' }>) {
  const t = useTexts(bulkTexts)
  const sentence = useSentence(error)
  const requestId = requestIdOf(error)
  return (
    <li>
      <Link to="/people/$userId" params={{ userId: user.id }}>
        {user.email ?? user.id}
      </Link>{' '}
      {error instanceof ChangedMeanwhile ? t('changed') : sentence}{' '}
      {requestId !== undefined && (
        <span className="note-request">
          {t('request')} <code>{requestId}</code> <CopyButton text={requestId} name={t('request')} />
        </span>
      )}
    </li>
  )
}
