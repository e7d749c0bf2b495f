import { progress } from '@clack/prompts'
import { note } from './print.ts'

/** How far a long piece of work has come, on standard error: a bar with rate and remaining time on a terminal, else nothing. */
export interface Progress {
  advance(by: number): void
  /** Ends the bar with one sentence, which is told everywhere. */
  done(sentence: string): void
  failed(): void
}

/** `unit` is what is counted, such as `rows`. */
export function startProgress(title: string, total: number, unit: string): Progress {
  const beganAtMs = performance.now()
  let count = 0
  if (!process.stderr.isTTY) return { advance: () => undefined, done: note, failed: () => undefined }
  const bar = startBar(title, total)
  return {
    advance(by) {
      count += by
      bar.advance(by, `${title}: ${tellProgress(count, total, unit, performance.now() - beganAtMs)}`)
    },
    // After a signal the library has ended the bar by itself.
    done: (sentence) => (bar.isCancelled ? note(sentence) : bar.stop(sentence)),
    failed: () => bar.error(title),
  }
}

/** The bar itself, for a terminal. */
export function startBar(title: string, total: number): ReturnType<typeof progress> {
  const bar = progress({ max: Math.max(1, total), output: process.stderr, style: 'heavy' })
  bar.start(title)
  // The library reads keys, and at Ctrl-C would end the process at once and with 0. Out of raw mode it is a signal as ever.
  if (process.stdin.isTTY) process.stdin.setRawMode(false)
  return bar
}

/** `120,000 of 1,000,000 rows, 45,000 rows/s, 20 s left`. */
export function tellProgress(count: number, total: number, unit: string, elapsedMs: number): string {
  const perSecond = count / Math.max(0.001, elapsedMs / 1_000)
  const left = perSecond > 0 ? `, ${tellSeconds((total - count) / perSecond)} left` : ''
  return `${numbers.format(count)} of ${numbers.format(total)} ${unit}, ${numbers.format(Math.round(perSecond))} ${unit}/s${left}`
}

function tellSeconds(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds))
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`
}

const numbers = new Intl.NumberFormat('en')
