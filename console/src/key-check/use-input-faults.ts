import { useState } from 'react'
import { useTexts } from '../texts/texts.ts'
import { type KeyType, missingOf, titleOf, unusualOf, type Values } from './credential.ts'
import { keyCheckTexts } from './texts.ts'

/**
 * What is missing stops a check. What looks unusual stops it once: the service does not decide by the form of a value, so the same values
 * are sent when they are sent again.
 */
export function useInputFaults(keyType: KeyType, values: Values) {
  const t = useTexts(keyCheckTexts)
  const [tries, setTries] = useState(0)
  const [doubted, setDoubted] = useState<Values>()
  const missing = missingOf(keyType.fields, values)
  const unusual = unusualOf(keyType.fields, values)
  const isDoubted = doubted === values && missing.length === 0 && unusual.length > 0
  const nameAt = (at: string) =>
    keyType.fields
      .filter((field) => field.at === at)
      .map(titleOf)
      .join()
  const faults =
    tries === 0
      ? {}
      : Object.fromEntries([
          ...unusual.map((at) => [at, t('unusual', { name: nameAt(at) })] as const),
          ...missing.map((at) => [at, t('missing', { name: nameAt(at) })] as const),
        ])
  const allow = () => {
    const mayGo = missing.length === 0 && (unusual.length === 0 || doubted === values)
    setTries(mayGo ? 0 : tries + 1)
    setDoubted(values)
    return mayGo
  }
  const forget = () => {
    setTries(0)
    setDoubted(undefined)
  }
  return { faults, isDoubted, tries, allow, forget }
}
