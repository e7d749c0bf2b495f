import { useTexts } from '../texts/texts.ts'
import { Button } from '../ui/button.tsx'
import { uiTexts } from '../ui/texts.ts'
import { shellTexts } from './texts.ts'
import { AlonePage } from './top.tsx'

export function Unreachable({ onRetry }: { readonly onRetry: () => void }) {
  const t = useTexts(shellTexts)
  const ui = useTexts(uiTexts)
  return (
    <AlonePage>
      <h1>{t('unreachableTitle')}</h1>
      <p>{t('unreachable')}</p>
      <Button look="main" onClick={onRetry}>
        {ui('retry')}
      </Button>
    </AlonePage>
  )
}
