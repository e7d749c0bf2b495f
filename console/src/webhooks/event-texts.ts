import { defineTexts } from '../texts/texts.ts'
import type { NewEndpoint } from './calls.ts'

export type EventType = NewEndpoint['events'][number]

/** What each type of event tells. The compiler holds the keys to the contract. */
export const eventTexts = defineTexts<EventType>({
  en: {
    'user.created': 'An account was created.',
    'user.updated': 'Its address, the proof of it or its role changed.',
    'user.disabled': 'An account was disabled, also because it is to be erased.',
    'user.enabled': 'A disabled account was enabled again, or kept.',
    'user.deleted': 'An account was erased.',
    'subscription.changed': 'A subscription began, or its status, price or owner changed.',
    'organization.created': 'An organisation was created.',
    'organization.updated': 'Its name changed, or whether it requires a second factor.',
    'organization.deleted': 'An organisation was removed, with its members.',
    'organization.member_added': 'An account became a member.',
    'organization.member_changed': 'The role of a member changed.',
    'organization.member_removed': 'A member left, was removed or was erased.',
  },
  de: {
    'user.created': 'Ein Konto wurde angelegt.',
    'user.updated': 'Seine Adresse, deren Bestätigung oder seine Rolle hat sich geändert.',
    'user.disabled': 'Ein Konto wurde gesperrt, auch weil es gelöscht werden soll.',
    'user.enabled': 'Ein gesperrtes Konto wurde entsperrt oder behalten.',
    'user.deleted': 'Ein Konto wurde gelöscht.',
    'subscription.changed': 'Ein Abonnement begann, oder sein Zustand, Preis oder Inhaber hat sich geändert.',
    'organization.created': 'Eine Organisation wurde angelegt.',
    'organization.updated': 'Ihr Name hat sich geändert, oder ob sie einen zweiten Faktor verlangt.',
    'organization.deleted': 'Eine Organisation wurde entfernt, mit ihren Mitgliedern.',
    'organization.member_added': 'Ein Konto wurde Mitglied.',
    'organization.member_changed': 'Die Rolle eines Mitglieds hat sich geändert.',
    'organization.member_removed': 'Ein Mitglied ging, wurde entfernt oder gelöscht.',
  },
})

/** In the order of the documentation. */
// The keys of a constant are its names.
export const eventTypes = Object.keys(eventTexts.en) as readonly EventType[]
