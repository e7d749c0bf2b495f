import { progress } from '@clack/prompts'
import { note } from './print.ts'

/** Progress of a long task on standard error: a bar with rate and remaining time on a terminal, otherwise one line per minute. */
export interface Progress {
  advance(by: number): void
  /** Explains why the task pauses. */
  say(sentence: string): void
  /** Ends the bar and prints a sentence, with or without a terminal. */
  done(sentence: string): void
  failed(): void
}

/** `unit` is a plural, such as `rows`. */
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
    // The library ends the bar by itself after a signal.
    done: (sentence) => (bar.isCancelled ? note(sentence) : bar.stop(sentence)),
    failed: () => bar.error(title),
  }
}

const lineEveryMs = 60_000

/** Shows progress while `work` runs, and then a sentence about its result. */
export async function withProgress<Result>(
  [title, total, unit]: readonly [title: string, total: number, unit: string],
  work: (progress: Progress) => Promise<Result>,
  sentenceOf: (result: Result) => string,
): Promise<Result> {
  const progress = startProgress(title, total, unit)
  try {
    const result = await work(progress)
    progress.done(sentenceOf(result))
    return result
  } catch (error) {
    progress.failed()
    throw error
  }
}

/** Shows a bar on a terminal. */
function startBar(title: string, total: number): ReturnType<typeof progress> {
  const bar = progress({ max: Math.max(1, total), output: process.stderr, style: 'heavy' })
  bar.start(title)
  // The library reads keys and would exit with 0 at Ctrl-C. Outside raw mode, Ctrl-C stays a signal.
  if (process.stdin.isTTY) process.stdin.setRawMode(false)
  return bar
}

/** `120,000 of 1,000,000 rows, 45,000 rows/s, 20 s left`. */
export function progressText(count: number, total: number, unit: string, elapsedMs: number): string {
  const perSecond = count / Math.max(0.001, elapsedMs / 1_000)
  const left = perSecond > 0 ? `, ${secondsText((total - count) / perSecond)} left` : ''
  return `${numbers.format(Math.floor(count))} of ${numbers.format(total)} ${unit}, ${numbers.format(Math.round(perSecond))} ${unit}/s${left}`
}

export function secondsText(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds))
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`
}

export const numbers = new Intl.NumberFormat('en')
