import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { isMeant, type Provider } from '../key-check/credential.ts'
import { session } from '../session/muster.ts'
import { providerList } from '../session/own.ts'
import { useOpenScreens } from '../shell/screens.ts'
import { shellTexts } from '../shell/texts.ts'
import { useStore } from '../store.ts'
import { chooseLanguage, useLanguage, useTexts } from '../texts.ts'
import { density, otherDensity } from '../ui/density.ts'
import { displayEmail } from '../ui/email.ts'
import { useMay } from '../ui/permitted.tsx'
import { say } from '../ui/toast.tsx'
import { type ListedUser, usersPage } from '../users/calls.ts'
import { paletteTexts } from './texts.ts'

export interface Entry {
  readonly id: string
  readonly title: string
  readonly keys?: string
  readonly run: () => void
}

export interface EntryGroup {
  readonly kind: 'user' | 'provider' | 'screen' | 'action'
  readonly items: readonly Entry[]
}

/** What fits the typed text, and may be opened by the user. Screens and actions alone while nothing is typed. */
export function useEntries(typed: string, onHelp: () => void) {
  const text = typed.trim()
  const navigate = useNavigate()
  const { users, error, isAsking } = useFoundUsers(text)
  const openUser = (userId: string) => () => void navigate({ to: '/users/$userId', params: { userId } })
  const openProvider = (provider: string) => () => void navigate({ to: '/keys', search: { provider } })
  const groups: readonly EntryGroup[] = [
    { kind: 'screen', items: fitting(useScreens(), text) },
    { kind: 'user', items: users.map((user) => ({ id: user.id, title: titleOf(user), run: openUser(user.id) })) },
    { kind: 'provider', items: useProviders(text).map(({ id, title }) => ({ id, title, run: openProvider(id) })) },
    { kind: 'action', items: fitting(useActions(onHelp), text) },
  ]
  return { groups: groups.filter(({ items }) => items.length > 0), error, isAsking }
}

function fitting(entries: readonly Entry[], text: string): readonly Entry[] {
  return entries.filter(({ title }) => title.toLowerCase().includes(text.toLowerCase()))
}

const usersMax = 6
const delayMs = 60

/** The service looks for them: a list that was loaded before would know some of the users only. */
function useFoundUsers(text: string) {
  const mayList = useMay()('users', 'list')
  const isLongEnough = mayList && text.length >= 2 && text.length <= 254
  const q = useSettled(isLongEnough ? text : '')
  const page = useQuery({
    ...usersPage({ q }, usersMax),
    enabled: isLongEnough && q !== '',
    placeholderData: keepPreviousData,
  })
  if (!isLongEnough) return { users: [], error: undefined, isAsking: false }
  // Until the answer to this text arrives, users of the answer before who match it too.
  const isOld = page.isPlaceholderData || q !== text
  const users = page.data?.users.filter((user) => !isOld || titleOf(user).toLowerCase().includes(text.toLowerCase()))
  return { users: users ?? [], error: page.error ?? undefined, isAsking: page.isFetching || q !== text }
}

function titleOf({ id, email, displayName }: ListedUser): string {
  const address = email === undefined ? id : displayEmail(email)
  return displayName === undefined ? address : `${displayName}, ${address}`
}

/** A text that stays for a moment. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), delayMs)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

const providersMax = 5

function useProviders(text: string): readonly Provider[] {
  const mayCheck = useMay()('provider_keys', 'validate')
  const { data } = useQuery({ ...providerList, enabled: mayCheck })
  if (!mayCheck || text === '') return []
  return data?.providers.filter((provider) => isMeant(provider, text)).slice(0, providersMax) ?? []
}

function useScreens(): readonly Entry[] {
  const t = useTexts(shellTexts)
  const navigate = useNavigate()
  return useOpenScreens().map(({ to, name, key }) => ({
    id: to,
    title: t(name),
    keys: `g ${key}`,
    run: () => void navigate({ to }),
  }))
}

function useActions(onHelp: () => void): readonly Entry[] {
  const t = useTexts(paletteTexts)
  const rows = otherDensity(useStore(density))
  const language = useLanguage() === 'en' ? 'de' : 'en'
  return [
    { id: 'density', title: t(rows), run: () => density.become(rows) },
    { id: 'language', title: t('language'), run: () => chooseLanguage(language) },
    { id: 'help', title: t('help'), keys: '?', run: onHelp },
    { id: 'reference', title: t('reference'), run: () => void open('/docs', '_blank', 'noreferrer') },
    { id: 'signOut', title: t('signOut'), run: () => void session.signOut().catch(() => say(t('signOutRefused'))) },
  ]
}
