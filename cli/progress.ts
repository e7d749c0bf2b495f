import { progress } from '@clack/prompts'
import { note } from './print.ts'

/** The progress of a long task, on standard error: a bar with rate and remaining time on a terminal, otherwise a line a minute. */
export interface Progress {
  advance(by: number): void
  /** Why it does not advance for a while. */
  say(sentence: string): void
  /** Ends the bar with one sentence, which appears without a terminal, too. */
  done(sentence: string): void
  failed(): void
}

/** `unit` names the counted thing, such as `rows`. */
export function startProgress(title: string, total: number, unit: string): Progress {
  const startedAtMs = performance.now()
  let count = 0
  const text = () => `${title}: ${progressText(count, total, unit, performance.now() - startedAtMs)}`
  if (!process.stderr.isTTY) {
    const timer = setInterval(() => note(text()), lineEveryMs).unref()
    return {
      advance(by) {
        count += by
      },
      say: note,
      done(sentence) {
        clearInterval(timer)
        note(sentence)
      },
      failed: () => clearInterval(timer),
    }
  }
  const bar = startBar(title, total)
  return {
    advance(by) {
      count += by
      bar.advance(by, text())
    },
    say: (sentence) => bar.message(sentence),
    // After a signal the library ends the bar by itself.
    done: (sentence) => (bar.isCancelled ? note(sentence) : bar.stop(sentence)),
    failed: () => bar.error(title),
  }
}

const lineEveryMs = 60_000

/** The bar itself, for a terminal. */
export function startBar(title: string, total: number): ReturnType<typeof progress> {
  const bar = progress({ max: Math.max(1, total), output: process.stderr, style: 'heavy' })
  bar.start(title)
  // The library reads keys, and at Ctrl-C would end the process at once with 0. Outside raw mode Ctrl-C stays a signal.
  if (process.stdin.isTTY) process.stdin.setRawMode(false)
  return bar
}

/** `120,000 of 1,000,000 rows, 45,000 rows/s, 20 s left`. */
export function progressText(count: number, total: number, unit: string, elapsedMs: number): string {
  const perSecond = count / Math.max(0.001, elapsedMs / 1_000)
  const left = perSecond > 0 ? `, ${secondsText((total - count) / perSecond)} left` : ''
  return `${numbers.format(count)} of ${numbers.format(total)} ${unit}, ${numbers.format(Math.round(perSecond))} ${unit}/s${left}`
}

export function secondsText(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds))
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`
}

const numbers = new Intl.NumberFormat('en')
