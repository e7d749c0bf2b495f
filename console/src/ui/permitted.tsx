import { hasPermission, RequirePermission, useUser } from '@muster/react'
import type { ReactNode } from 'react'
import { useTexts, words } from '../texts.ts'

interface PermittedProps {
  readonly resource: string
  readonly action: string
  readonly children: ReactNode
}

/** What the role of the user lets them do; else which permission is missing. */
export function Permitted({ resource, action, children }: PermittedProps) {
  const t = useTexts(words)
  const missing = <p className="field-hint">{t('missing', { permission: `${resource}:${action}` })}</p>
  return <RequirePermission {...{ resource, action, children }} fallback={missing} />
}

/** Whether the role of the user lets them do something; of nobody who is not known yet. */
export function useMay(): (resource: string, action: string) => boolean {
  const current = useUser()
  return (resource, action) => current.status === 'ready' && hasPermission(current.user, resource, action)
}
