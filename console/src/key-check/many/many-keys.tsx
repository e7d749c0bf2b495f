import { useId, useMemo, useRef, useState } from 'react'
import { useTexts } from '../../texts.ts'
import { Mark } from '../../ui/facts.tsx'
import { Field } from '../../ui/field.tsx'
import { Table, WideTable } from '../../ui/table.tsx'
import type { Provider } from '../credential.ts'
import { ProviderChoice } from '../provider-choice.tsx'
import { useFileCheck } from './check-file.ts'
import { FileResults } from './file-results.tsx'
import { fileBytesMax, type KeyRow, type MalformedRow, readKeyFile } from './key-file.ts'
import { fileFaultTexts, lineFaultTexts, manyTexts } from './texts.ts'

/** A check of the keys of a file. The file is in this component alone, and gone with it. */
export function ManyKeys({ providers }: { readonly providers: readonly Provider[] }) {
  const t = useTexts(manyTexts)
  const fault = useTexts(fileFaultTexts)
  const check = useFileCheck()
  const region = useRef<HTMLDivElement>(null)
  const [bytes, setBytes] = useState<Uint8Array>()
  const [defaultId, setDefaultId] = useState('cloudflare')
  const file = useMemo(() => bytes && readKeyFile(bytes, providers, defaultId), [bytes, providers, defaultId])
  const provider = providers.find(({ id }) => id === defaultId) ?? providers[0]
  const isStarted = check.isBusy || check.answers.size > 0 || check.error !== undefined
  const choose = (next: Uint8Array | undefined) => {
    check.forget()
    setBytes(next)
    // What was clicked goes away.
    region.current?.focus()
  }
  return (
    <div ref={region} tabIndex={-1} className="many">
      <p>{t('why')}</p>
      {bytes === undefined && <FileChoice onChoose={choose} />}
      {provider && !isStarted && (
        <ProviderChoice
          providers={providers}
          label={t('defaultProvider')}
          value={provider}
          onChoose={({ id }) => setDefaultId(id)}
        />
      )}
      {file?.fault && (
        <div className="note note-problem" role="alert">
          <p className="note-title">{t('refused')}</p>
          <p>{fault(file.fault, { column: file.column ?? 1 })}</p>
        </div>
      )}
      {file && !file.fault && !isStarted && <Preview rows={file.rows} malformed={file.malformed} />}
      {file && (
        <FileResults
          rows={file.fault ? [] : file.rows}
          malformed={file.fault ? [] : file.malformed}
          check={check}
          isStarted={isStarted}
          onRemove={() => choose(undefined)}
        />
      )}
    </div>
  )
}

/** A file, chosen or dropped. Of one that is too large only as much is read as shows that. */
function FileChoice({ onChoose }: { readonly onChoose: (bytes: Uint8Array) => void }) {
  const t = useTexts(manyTexts)
  const [isOver, setIsOver] = useState(false)
  const read = async (file: File | undefined) => {
    if (file) onChoose(new Uint8Array(await file.slice(0, fileBytesMax + 1).arrayBuffer()))
  }
  return (
    <section
      className="drop"
      aria-label={t('file')}
      data-over={isOver}
      onDragOver={(event) => {
        event.preventDefault()
        setIsOver(true)
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setIsOver(false)
        void read(event.dataTransfer.files[0])
      }}
    >
      <p>{t('drop')}</p>
      <Field
        label={t('file')}
        hint={t('columns')}
        type="file"
        accept=".csv,text/csv"
        onChange={({ target }) => void read(target.files?.[0])}
      />
    </section>
  )
}

const previewMax = 5
const malformedMax = 20

interface PreviewProps {
  readonly rows: readonly KeyRow[]
  readonly malformed: readonly MalformedRow[]
}

/** What was read of the file. No key is shown. */
function Preview({ rows, malformed }: PreviewProps) {
  const t = useTexts(manyTexts)
  return (
    <>
      <p>
        <Mark tone={rows.length > 0 ? 'good' : 'warning'}>{t('ready', { count: rows.length })}</Mark>
      </p>
      {malformed.length > 0 && <Malformed malformed={malformed} />}
      {rows.length > 0 && (
        <>
          <h2>{t('preview')}</h2>
          <WideTable name={t('preview')}>
            <Table
              rows={rows.slice(0, previewMax)}
              keyOf={({ line }) => line}
              columns={[
                [t('line'), ({ line }) => line],
                [t('label'), ({ label }) => label || '–'],
                [t('provider'), ({ check }) => check.provider],
                [t('keyType'), ({ check }) => <code>{check.keyType}</code>],
              ]}
            />
          </WideTable>
        </>
      )}
    </>
  )
}

function Malformed({ malformed }: Pick<PreviewProps, 'malformed'>) {
  const t = useTexts(manyTexts)
  const reasonOf = useTexts(lineFaultTexts)
  const heading = useId()
  return (
    <section className="note note-warning" aria-labelledby={heading}>
      <p className="note-title" id={heading}>
        {t('malformed', { count: malformed.length })}
      </p>
      <ul>
        {malformed.slice(0, malformedMax).map(({ line, reason }) => (
          <li key={line}>
            {t('line')} {line}: {reasonOf(reason)}
          </li>
        ))}
      </ul>
      {malformed.length > malformedMax && <p>{t('andMore', { count: malformed.length - malformedMax })}</p>}
    </section>
  )
}
