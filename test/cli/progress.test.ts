import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startProgress } from '../../cli/progress.ts'

let written: string[]
const isTTY = process.stderr.isTTY
beforeEach(() => {
  vi.useFakeTimers()
  written = []
  process.stderr.isTTY = false
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => written.push(String(text)) > 0)
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
  process.stderr.isTTY = isTTY
})

test('without a terminal, progress prints one line per minute until the task ends', () => {
  const progress = startProgress('Checking', 300, 'keys')
  progress.advance(60)
  vi.advanceTimersByTime(120_000)
  expect(written).toEqual([
    'Checking: 60 of 300 keys, 1 keys/s, 4 min 0 s left\n',
    'Checking: 60 of 300 keys, 1 keys/s, 8 min 0 s left\n',
  ])
  progress.done('Checked 300 keys.')
  vi.advanceTimersByTime(120_000)
  expect(written.slice(2)).toEqual(['Checked 300 keys.\n'])
})
