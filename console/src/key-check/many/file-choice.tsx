import { useState } from 'react'
import { useTexts } from '../../texts/texts.ts'
import { Field } from '../../ui/field.tsx'
import { fileBytesMax } from './key-file.ts'
import { manyTexts } from './texts.ts'

/** A file, chosen or dropped. Of one that is too large only as much is read as shows that. */
export function FileChoice({ onChoose }: { readonly onChoose: (bytes: Uint8Array) => void }) {
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
