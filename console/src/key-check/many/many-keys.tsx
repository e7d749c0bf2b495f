import { useMemo, useRef, useState } from 'react'
import { useTexts } from '../../texts/texts.ts'
import type { Provider } from '../credential.ts'
import { ProviderChoice } from '../provider-choice.tsx'
import { FileChoice } from './file-choice.tsx'
import { FileResults } from './file-results.tsx'
import { readKeyFile } from './key-file.ts'
import { Preview } from './preview.tsx'
import { fileFaultTexts, manyTexts } from './texts.ts'
import { useFileCheck } from './use-file-check.ts'

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
          label={t('provider')}
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
