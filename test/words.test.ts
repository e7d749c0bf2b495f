import { expect, test } from 'vitest'
import { exceptions, forbiddenWords } from './support/forbidden-words.ts'
import { textsOf } from './support/sources.ts'

const texts = [
  ...textsOf('src', ['.ts']),
  ...textsOf('cli', ['.ts']),
  ...textsOf('client/src', ['.ts']),
  ...textsOf('react/src', ['.ts', '.tsx']),
  ...textsOf('console/src', ['.ts', '.tsx', '.css']),
  ...textsOf('key-check/src', ['.ts']),
  ...['bench', 'scripts', 'simulators'].flatMap((folder) => textsOf(folder, ['.ts', '.js', '.sh'])),
  ...textsOf('docs', ['.md']),
  ...[
    'README.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    'client/README.md',
    'react/README.md',
    'key-check/README.md',
  ].flatMap((file) => textsOf(file, ['.md'])),
]

test('names, comments, messages and documents use the words of the field', () => {
  const found = texts.flatMap(({ file, text }) =>
    [file, ...text.split('\n')].flatMap((line, number) => wordsIn(file, line, number)),
  )
  expect(found).toEqual([])
})

/** `number` 0 is the path itself. */
function wordsIn(file: string, line: string, number: number): string[] {
  const plain = apart(exceptions.reduce((rest, { text }) => rest.replace(text, ''), line))
  return forbiddenWords
    .filter(({ within = '' }) => file.startsWith(within))
    .flatMap(({ pattern, use }) => {
      const match = pattern.exec(plain)
      return match ? [`${file}:${number} “${match[0]}” → ${use}`] : []
    })
}

/** Identifiers as words: `isToldOnce` and `is_told_once` become “is Told Once”. */
function apart(line: string): string {
  return line.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replaceAll('_', ' ')
}
