import { useTexts } from '../texts/texts.ts'
import { Button } from '../ui/button.tsx'
import { CopyId } from '../ui/copy-button.tsx'
import type { EndpointWithSecret } from './calls.ts'
import { hostOf } from './endpoint-status.tsx'
import { webhookTexts } from './texts.ts'

interface SecretNoteProps {
  readonly made: EndpointWithSecret
  readonly onDone: () => void
}

/** A new signing secret, which the service shows once. It is in the memory of this screen until it is left. */
export function SecretNote({ made, onDone }: SecretNoteProps) {
  const t = useTexts(webhookTexts)
  return (
    <div className="note note-warning" role="status">
      <p>{t('secretOnce', { host: hostOf(made) })}</p>
      <p>
        <CopyId id={made.secret} name={t('secret')} />
      </p>
      <Button onClick={onDone}>{t('secretDone')}</Button>
    </div>
  )
}
