import type { Call } from '../../key-check/index.ts'
import { note } from '../print.ts'

/** For `onCall`: says why a call to the provider failed. A retry that fails in the same way adds nothing. */
export function failedCallNotes(): (call: Call) => void {
  const said = new Set<string>()
  return ({ errorCode, host, phase }) => {
    if (errorCode === undefined || host === undefined) return
    const reason = phase === undefined ? errorCode : `${phase}: ${errorCode}`
    const text = `The call to ${host} failed (${reason}).`
    if (!said.has(text)) note(text)
    said.add(text)
  }
}
