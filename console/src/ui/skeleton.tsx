import { useEffect, useState } from 'react'
import { useTexts } from '../texts/texts.ts'
import { uiTexts } from './texts.ts'

/** The shape of what is being read, after 150 ms without it. */
export function Skeleton() {
  const t = useTexts(uiTexts)
  const [isShown, setIsShown] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIsShown(true), 150)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div className="skeleton" role="status" aria-label={t('loading')} data-shown={isShown}>
      <div />
      <div />
      <div />
    </div>
  )
}
