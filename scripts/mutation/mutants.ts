import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { constantsOf, instrument, parse } from './instrument.ts'
import { mutationsOf } from './operators.ts'
import type { Part } from './parts.ts'

/** A mutation with its place, for people and for the results that are kept. */
export interface Mutant {
  readonly id: number
  readonly part: string
  readonly file: string
  readonly line: number
  readonly operator: string
  readonly start: number
  readonly original: string
  readonly replacement: string
}

export interface MutatedSources {
  readonly mutants: readonly Mutant[]
  /** Of every file below `src`, with all mutants compiled in. */
  readonly instrumented: ReadonlyMap<string, string>
  /** The constant whose use has this number. */
  readonly uses: ReadonlyMap<number, string>
  /** The constant whose initializer has this number. */
  readonly tops: ReadonlyMap<number, string>
}

/** Makes every mutant of the parts. */
export function mutateSources(root: string, parts: readonly Part[]): MutatedSources {
  const sources = filesBelow(root, 'src').map((file) => parse(file, readFileSync(join(root, file), 'utf8')))
  const constants = new Set(sources.flatMap(constantsOf))
  const mutants: Mutant[] = []
  let last = 1
  const next = () => {
    last += 1
    return last
  }
  const uses = new Map<string, number>()
  const tops = new Map([['unknown', 1]])
  const numberOf = (known: Map<string, number>, constant: string) => {
    const number = known.get(constant) ?? next()
    known.set(constant, number)
    return number
  }
  const instrumented = new Map<string, string>()
  for (const source of sources) {
    const part = parts.find(({ sources: of }) => of.some((start) => source.fileName.startsWith(start)))
    const mutations = part ? mutationsOf(source) : []
    const ids = new Map(mutations.map((mutation) => [mutation, next()] as const))
    for (const [{ operator, start, end, replacement }, id] of ids)
      mutants.push({
        id,
        part: part?.name ?? '',
        file: source.fileName,
        line: source.getLineAndCharacterOfPosition(start).line + 1,
        operator,
        start,
        original: source.text.slice(start, end),
        replacement,
      })
    const text = instrument(source, mutations, constants, {
      mutant: (mutation) => ids.get(mutation) ?? 0,
      use: (constant) => numberOf(uses, constant),
      top: (constant) => numberOf(tops, constant),
    })
    instrumented.set(source.fileName, text)
  }
  return { mutants, instrumented, uses: swapped(uses), tops: swapped(tops) }
}

function swapped(map: ReadonlyMap<string, number>): ReadonlyMap<number, string> {
  return new Map([...map].map(([name, number]) => [number, name]))
}

/** Paths of the TypeScript files below a folder. */
export function filesBelow(root: string, folder: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => `${folder}/${path}`)
    .sort()
}
