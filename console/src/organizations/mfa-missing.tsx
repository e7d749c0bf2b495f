import { Link } from '@tanstack/react-router'
import { useTexts } from '../texts/texts.ts'
import { organizationTexts } from './texts.ts'

/** What the role of the caller grants here does not count in a session without a second factor. */
export function MfaMissing() {
  const t = useTexts(organizationTexts)
  return (
    <div className="note note-warning">
      <p>{t('mfaMissing')}</p>
      <Link to="/me">{t('toFactors')}</Link>
    </div>
  )
}
