import { joinCapabilities, ofBeginning } from './capabilities.ts'
import {
  type AbilityRead,
  type FoundAbilities,
  type Probe,
  type Provider,
  undetermined,
  type Valid,
} from './provider.ts'
import { withRefusedAddress } from './refused-address.ts'
import { type ReadResult, type Run, send } from './run.ts'

/** Whether a check of this provider makes the reads: always, or if they are requested. */
export function readsAbilities({ abilities }: Provider, isRequested: boolean): boolean {
  if (typeof abilities === 'string' || 'unknown' in abilities) return false
  return isRequested || abilities.isAlwaysRead === true
}

/** Whether the provider can look up a zone by name. */
export function looksUpZones({ abilities }: Provider): boolean {
  return typeof abilities === 'object' && 'zone' in abilities
}

/**
 * Adds to a plain yes what the reads show. Skips them if little time is left. A read that fails leaves the outcome valid: a limit of the
 * credential may have caused it.
 */
export async function withAbilities(run: Run, outcome: Valid, zone: string): Promise<Valid> {
  const { abilities } = run.credential.provider
  if (outcome.caveat || typeof abilities === 'string' || 'unknown' in abilities) return outcome
  const read = (zone === '' ? undefined : abilities.zone) ?? abilities.list
  if (!read) return outcome
  const found = await readAll(run, read, zone)
  const capabilities = joinCapabilities(outcome.capabilities ?? {}, found.capabilities ?? {})
  const isKnown = Object.keys(capabilities).length > 0 || found.hasZone !== undefined
  const caveat = found.caveat ?? (isKnown ? undefined : 'capabilities_unknown')
  return { ...outcome, ...found, ...(caveat && { caveat }), capabilities }
}

type Found = Pick<Valid, 'capabilities' | 'caveat' | 'hasZone' | 'isIncomplete' | 'refusedAddress'>

/** Makes the reads in a row, up to the first one that fails. */
async function readAll(run: Run, first: AbilityRead, zone: string): Promise<Found> {
  const { lastAnswer: decided } = run
  let found: Found = {}
  let read: AbilityRead | undefined = first
  while (read && decided) {
    const shown: FoundAbilities | undefined = mayCall(run) ? await readOnce(run, read, { zone, decided }) : undefined
    if (!shown) return { ...found, isIncomplete: true }
    const { next, capabilities = {}, ...more }: FoundAbilities = shown
    found = { ...found, ...more, capabilities: joinCapabilities(found.capabilities ?? {}, capabilities) }
    read = next
  }
  return found
}

function mayCall({ callsLeft, deadlineAtMs, limits }: Run): boolean {
  return callsLeft > 0 && performance.now() + limits.abilityReadMinMs <= deadlineAtMs
}

async function readOnce(
  run: Run,
  { request, find, answersXml }: AbilityRead,
  context: Parameters<AbilityRead['find']>[1],
): Promise<FoundAbilities | undefined> {
  const read: ReadResult = {}
  const probe: Probe = {
    ...(answersXml && { answersXml }),
    readsBeginning: true,
    request: (credential, moment) => request(credential, moment, context),
    classify(answer) {
      const { status } = answer
      const result = status === 200 || (status >= 400 && status < 500) ? find(answer, context) : undefined
      if (result && 'kind' in result) {
        read.busy = result
        return result
      }
      const isShown = result && status !== 429
      const shown = isShown && answer.isCutOff ? foundInBeginning(result) : result
      read.found = isShown && shown ? withRefusedAddress(shown, answer) : undefined
      return undetermined('unexpected_answer')
    },
  }
  await send(run, probe, read)
  return read.found
}

/** The beginning of a list never shows that a zone is missing. */
function foundInBeginning({ hasZone, caveat: _, capabilities = {}, ...found }: FoundAbilities): FoundAbilities {
  return { ...found, ...(hasZone && { hasZone }), capabilities: ofBeginning(capabilities) }
}
