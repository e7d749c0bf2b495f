import { randomBytes } from 'node:crypto'
import { type CheckRunParts, type ReadResult, type Run, send, startRun, type Wanted } from './calls.ts'
import { joinCapabilities, ofBeginning } from './capabilities.ts'
import { withRefusedAddress } from './classify.ts'
import type { Credential } from './credential.ts'
import {
  type AbilityContext,
  type AbilityRead,
  type Classification,
  type ClockSkew,
  type FoundAbilities,
  type NextProbe,
  type Outcome,
  type Probe,
  type ProofContext,
  type Provider,
  type Retry,
  undetermined,
  type Valid,
} from './provider.ts'
import { pause } from './waiting.ts'

/**
 * Sends one probe after another until the outcome is known, then reads abilities. Aborts the controller at the deadline; an abort before the
 * outcome ends the check as a timeout.
 */
export async function runCheck(
  parts: CheckRunParts,
  credential: Credential,
  { wanted, controller }: { wanted: Wanted; controller: AbortController },
): Promise<Outcome> {
  const run = startRun(parts, credential, controller.signal)
  const abort = () => controller.abort()
  let timer = setTimeout(abort, parts.limits.deadlineMs)
  const leave = (ms: number) => {
    const untilMs = Math.max(run.deadlineAtMs, performance.now() + ms)
    run.deadlineAtMs = untilMs
    clearTimeout(timer)
    timer = setTimeout(abort, untilMs - performance.now())
  }
  try {
    return await parts.client.run(async () => {
      const outcome = await afterRivals(run, await findOutcome(run), leave)
      return wanted.capabilities && outcome.kind === 'valid' ? withAbilities(run, outcome, wanted) : outcome
    })
  } finally {
    clearTimeout(timer)
  }
}

/**
 * If another secret of the same ID was rejected just before, a rejection proves nothing until the provider has forgotten that one. Then the
 * check asks once more, with a later deadline. `leave` moves the deadline, so that at least these milliseconds are left.
 */
async function afterRivals(run: Run, outcome: Outcome, leave: (ms: number) => void): Promise<Outcome> {
  const { credential, rivalSecrets, limits, now } = run
  const rival = credential.provider.rivalSecrets
  if (!rival || outcome.kind !== 'invalid' || outcome.reason !== 'wrong_part') return outcome
  const isRecent = (ms: number | undefined) => ms !== undefined && ms + rival.afterMs > now()
  const rejectedMs = await rivalSecrets.lastRejectedMs(credential)
  let judged: Outcome = outcome
  if (rejectedMs !== undefined) {
    const waitMs = Math.max(0, rejectedMs + rival.afterMs - now())
    leave(waitMs + limits.rivalSecretMs)
    if (!(await pause(waitMs, run.signal))) return undetermined('timeout')
    judged = await findOutcome(run)
    // A third secret came between.
    if (judged.kind === 'invalid' && isRecent(await rivalSecrets.lastRejectedMs(credential)))
      return undetermined('refused')
  }
  if (judged.kind === 'invalid') await rivalSecrets.reject(credential)
  return judged
}

async function findOutcome(run: Run): Promise<Outcome> {
  let probe = run.credential.provider.firstProbe(run.credential)
  while (run.callsLeft > 0) {
    const classification = await sendWithRetry(run, probe)
    if (classification.kind !== 'next_probe') return classification
    probe = classification.probe
  }
  return undetermined('unexpected_answer')
}

/** One call and, if the answer allows it, the only retry of the check run. */
async function sendWithRetry(run: Run, probe: Probe): Promise<Outcome | NextProbe> {
  const first = await sendInTime(run, probe)
  if (first.kind !== 'retry') return first
  const isUnconfirmed = first.cause === 'unconfirmed'
  if (run.hasRetried || run.callsLeft === 0) return settle(first, false)
  run.hasRetried = true
  if (!(await pause(pauseMsBefore(first, run), run.signal)))
    return isUnconfirmed ? undetermined('timeout') : first.otherwise
  const second = await sendInTime(run, probe)
  return second.kind === 'retry' ? marked(settle(second, isUnconfirmed), run) : second
}

function pauseMsBefore({ cause }: Retry, { credential, limits }: Run): number {
  const { newKeys } = credential.provider
  // Jitter, so that checks that failed together do not retry together.
  const usualMs = (cause === 'unconfirmed' ? 300 : 100) + Math.random() * 200
  return Math.min(cause === 'unconfirmed' && newKeys ? newKeys.settlesAfterMs : usualMs, limits.pauseMsMax)
}

/** Corrects a rejected clock once. A second rejection has another cause, and still says nothing about the credential. */
async function sendInTime(run: Run, probe: Probe): Promise<Exclude<Classification, ClockSkew>> {
  const first = await send(run, probe)
  if (first.kind !== 'clock_skew') return first
  const canRepeat = run.clockOffsetMs !== undefined && run.callsLeft > 0
  const second = canRepeat ? await send(run, probe) : first
  return second.kind === 'clock_skew' ? undetermined('clock_refused') : second
}

/** A confirmed rejection may still be about a new key. */
function marked(settled: Outcome | NextProbe, { credential }: Run): Outcome | NextProbe {
  return settled.kind === 'invalid' && credential.provider.newKeys ? { ...settled, mayBeNew: true } : settled
}

/** An unconfirmed outcome counts only if the second answer agrees. */
function settle({ cause, otherwise }: Retry, wasUnconfirmed: boolean): Outcome | NextProbe {
  return cause === 'transient' || wasUnconfirmed ? otherwise : undetermined('unexpected_answer')
}

/** Whether a check of this provider makes the reads: always, or if they are requested. */
export function readsAbilities({ abilities }: Provider, isRequested: boolean): boolean {
  if (typeof abilities === 'string' || 'unknown' in abilities) return false
  return isRequested || abilities.isAlwaysRead === true
}

/** Whether the provider can look up a zone by name. */
export function looksUpZones({ abilities }: Provider): boolean {
  return typeof abilities === 'object' && 'zone' in abilities
}

/** Whether the provider has a write whose refusals are known. */
export function canProve({ abilities }: Provider): boolean {
  return typeof abilities === 'object' && 'proof' in abilities
}

/**
 * Adds to a plain yes what the reads show, and the proof. Skips them if little time is left. One that fails leaves the outcome valid: a limit
 * of the credential may have caused it.
 */
export async function withAbilities(run: Run, outcome: Valid, { zone, proof: wantsProof }: Wanted): Promise<Valid> {
  const { abilities } = run.credential.provider
  const { lastAnswer: decided } = run
  if (outcome.caveat || typeof abilities === 'string' || 'unknown' in abilities || !decided) return outcome
  const read = (zone === '' ? undefined : abilities.zone) ?? abilities.list
  if (!read) return outcome
  const proof = wantsProof ? abilities.proof : undefined
  const { zoneId, ...shown } = await readAll(run, read, { context: { zone, decided }, proof })
  const found = proof && zoneId !== undefined ? await prove(run, shown, { proof, zone, decided, zoneId }) : shown
  const capabilities = joinCapabilities(outcome.capabilities ?? {}, found.capabilities ?? {})
  const isKnown = Object.keys(capabilities).length > 0 || found.hasZone !== undefined
  const caveat = found.caveat ?? (isKnown ? undefined : 'capabilities_unknown')
  return { ...outcome, ...found, ...(caveat && { caveat }), capabilities }
}

type Found = Omit<FoundAbilities, 'next' | 'zoneId'> & Pick<Valid, 'isIncomplete' | 'isProofSent'>

interface Reading {
  readonly context: AbilityContext
  /** The proof that follows. It has the last call. */
  readonly proof: Proof | undefined
}

type Proof = AbilityRead<ProofContext>

/** Makes the reads in a row, up to the first one that fails. */
async function readAll(run: Run, first: AbilityRead, { context, proof }: Reading): Promise<Found & ZoneId> {
  let found: Found & ZoneId = {}
  let read: AbilityRead | undefined = first
  while (read) {
    const callsKept = proof && found.zoneId !== undefined ? 1 : 0
    const shown: FoundAbilities | undefined = mayCall(run, callsKept)
      ? (await readOnce(run, read, context)).found
      : undefined
    if (!shown) return { ...found, isIncomplete: true }
    const { next, capabilities = {}, ...more }: FoundAbilities = shown
    found = { ...found, ...more, capabilities: joinCapabilities(found.capabilities ?? {}, capabilities) }
    read = next
  }
  return found
}

type ZoneId = Pick<FoundAbilities, 'zoneId'>

/** Sends the write that cannot succeed, unless the reads have answered the question. */
async function prove(
  run: Run,
  found: Found,
  { proof, ...context }: { readonly proof: Proof } & Omit<ProofContext, 'unusedValue'>,
): Promise<Found> {
  const { capabilities = {} } = found
  const isKnown = [capabilities.abilities, capabilities.lacks].some((names) => names?.includes('dns:edit'))
  if (isKnown) return found
  if (!mayCall(run)) return { ...found, isIncomplete: true }
  const unusedValue = randomBytes(16).toString('hex')
  const { found: shown, isSent } = await readOnce(run, proof, { ...context, unusedValue })
  const sent = isSent && { isProofSent: isSent }
  if (!shown) return { ...found, ...sent, isIncomplete: true }
  return { ...found, ...sent, capabilities: joinCapabilities(capabilities, shown.capabilities ?? {}) }
}

function mayCall({ callsLeft, deadlineAtMs, limits }: Run, callsKept = 0): boolean {
  return callsLeft > callsKept && performance.now() + limits.abilityReadMinMs <= deadlineAtMs
}

async function readOnce<Context>(
  run: Run,
  { request, find, answersXml }: AbilityRead<Context>,
  context: Context,
): Promise<ReadResult> {
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
  return read
}

/** The beginning of a list never shows that a zone is missing. */
function foundInBeginning({ hasZone, caveat: _, capabilities = {}, ...found }: FoundAbilities): FoundAbilities {
  return { ...found, ...(hasZone && { hasZone }), capabilities: ofBeginning(capabilities) }
}
