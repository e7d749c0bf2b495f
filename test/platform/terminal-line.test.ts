import { expect, test } from 'vitest'
import { terminalLine } from '../../src/platform/terminal-line.ts'

const time = '2026-11-24T08:57:31.941Z'

test('a line shows time, message and members, and the level unless it is info', () => {
  const ready = { level: 30, time, address: 'http://localhost:4600', version: '1.0.0', msg: 'ready' }
  expect(terminalLine(JSON.stringify(ready))).toBe('08:57:31 ready address=http://localhost:4600 version=1.0.0\n')
  expect(terminalLine(JSON.stringify({ level: 40, time, msg: 'late', seconds: 3 }))).toBe(
    '08:57:31 WARN late seconds=3\n',
  )
  const err = { name: 'Error', stack: 'Error: no\n    at here' }
  expect(terminalLine(JSON.stringify({ level: 50, time, err, msg: 'failed' }))).toBe(
    '08:57:31 ERROR failed\n  Error: no\n      at here\n',
  )
})

test('a narrow terminal wraps lines below the message, and never splits a word', () => {
  const line = {
    level: 40,
    time,
    msg: 'two words and three more',
    path: '/a/very/long/path/that/does/not/fit',
    count: 3,
  }
  expect(terminalLine(JSON.stringify(line), 30)).toBe(
    [
      '08:57:31 WARN two words and',
      '         three more',
      '         path=/a/very/long/path/that/does/not/fit',
      '         count=3',
      '',
    ].join('\n'),
  )
})

test('text of a caller cannot send control characters to the terminal', () => {
  const line = terminalLine(JSON.stringify({ level: 30, time, path: '/\u001b[2J\n', msg: 'request' }))
  expect(line).toBe('08:57:31 request path="/\\u001b[2J\\n"\n')
})
