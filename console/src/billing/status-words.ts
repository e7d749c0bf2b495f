import { defineTexts, type Translate } from '../texts.ts'
import type { Tone } from '../ui/facts.tsx'

/** What the words of the processors mean. Stripe's eight; Paddle and Polar use some of them. */
export const subscriptionStatusTexts = defineTexts({
  active: ['paid; it is in force', 'bezahlt; es gilt'],
  trialing: ['in a trial; it is in force', 'in der Probezeit; es gilt'],
  past_due: [
    'the last payment failed, and the processor tries again; it is still in force',
    'die letzte Zahlung misslang, der Zahlungsdienst versucht es wieder; es gilt noch',
  ],
  unpaid: [
    'payments failed, and the processor has stopped trying; it grants nothing',
    'Zahlungen misslangen, der Zahlungsdienst versucht es nicht mehr; es gewährt nichts',
  ],
  paused: ['paused; it grants nothing until it goes on', 'ausgesetzt; es gewährt nichts, bis es weitergeht'],
  incomplete: [
    'the first payment is not made yet; it grants nothing',
    'die erste Zahlung steht noch aus; es gewährt nichts',
  ],
  incomplete_expired: [
    'the first payment was never made; it grants nothing and is over',
    'die erste Zahlung kam nie; es gewährt nichts und ist vorbei',
  ],
  canceled: ['it has ended; it grants nothing', 'es ist beendet; es gewährt nichts'],
  other: ['a word that Muster does not know; it grants nothing', 'ein Wort, das Muster nicht kennt; es gewährt nichts'],
})

type Word = keyof typeof subscriptionStatusTexts

const tones: Readonly<Record<Word, Tone>> = {
  active: 'good',
  trialing: 'good',
  past_due: 'warning',
  unpaid: 'bad',
  paused: 'neutral',
  incomplete: 'warning',
  incomplete_expired: 'neutral',
  canceled: 'neutral',
  other: 'unknown',
}

function isWord(status: string): status is Word {
  return Object.hasOwn(tones, status)
}

export function subscriptionTone(status: string): Tone {
  return tones[isWord(status) ? status : 'other']
}

export function subscriptionMeaning(status: string, t: Translate<Word>): string {
  return t(isWord(status) ? status : 'other')
}
