import { useTexts } from '../texts/texts.ts'
import { shellTexts } from './texts.ts'
import { AlonePage } from './top.tsx'

/** Instead of a form that would send a password in clear text. */
export function Insecure() {
  const t = useTexts(shellTexts)
  return (
    <AlonePage>
      <h1>{t('insecureTitle')}</h1>
      <p>{t('insecure')}</p>
    </AlonePage>
  )
}
