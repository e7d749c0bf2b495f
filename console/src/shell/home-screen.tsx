import { hasPermission, useUser } from '@muster/react'
import { Navigate } from '@tanstack/react-router'
import { Skeleton } from '../ui/skeleton.tsx'

/** The people for those who look after them; the own account for all others. */
export function HomeScreen() {
  const current = useUser()
  if (current.status === 'loading') return <Skeleton />
  const listsUsers = current.status === 'ready' && hasPermission(current.user, 'users', 'list')
  return <Navigate to={listsUsers ? '/people' : '/me'} replace />
}
