import { readFileSync } from 'node:fs'
import { Secret } from '../../platform/secret.ts'
import type { RawEntry } from './presets.ts'

/** Returns the value of an environment variable. */
export type Lookup = (name: string) => string | undefined

/**
 * Reads members of one entry by name and type. Records faults instead of throwing, so that one run finds all of them. A
 * fault never repeats the value, which may be a misplaced secret.
 */
export class EntryReader {
  readonly #raw: RawEntry
  readonly #location: string
  readonly #faults: string[]
  readonly #known = new Set<string>()

  constructor(raw: RawEntry, location: string, faults: string[]) {
    this.#raw = raw
    this.#location = location
    this.#faults = faults
  }

  fault(member: string, text: string): undefined {
    this.#faults.push(`${this.#location}: "${member}" ${text}`)
  }

  has(member: string): boolean {
    return this.#raw[member] !== undefined
  }

  hasObject(member: string): boolean {
    return isObject(this.#raw[member])
  }

  text(member: string): string | undefined {
    return this.#read(member, isText, 'must be a string of 1 to 400 characters.')
  }

  /** One string, or a list of strings. */
  texts(member: string): readonly string[] | undefined {
    const value = this.#read(member, isTexts, 'must be a string or a list of strings.')
    return typeof value === 'string' ? [value] : value
  }

  flag(member: string, fallback: boolean): boolean {
    return this.#read(member, isFlag, 'must be true or false.') ?? fallback
  }

  /** A whole number. A number in quotes is rejected: comparisons with it would fail silently. */
  number(member: string, { fallback, min, max }: { fallback: number; min: number; max: number }): number {
    const isWithin = (value: unknown): value is number => Number.isInteger(value) && isBetween(Number(value), min, max)
    return this.#read(member, isWithin, `must be a whole number from ${min} to ${max}.`) ?? fallback
  }

  /** Claims with one value each. */
  values(member: string): Readonly<Record<string, string | boolean>> {
    return this.#read(member, isValues, 'must be an object of strings and booleans.') ?? {}
  }

  /** A reader for a nested object. */
  inner(member: string): EntryReader {
    const value = this.#read(member, isObject, 'must be an object.') ?? {}
    return new EntryReader(value, `${this.#location}: in "${member}"`, this.#faults)
  }

  object(member: string): Readonly<Record<string, unknown>> | undefined {
    return this.#read(member, isObject, 'must be an object.')
  }

  /** The secret itself, or a reference to it: `{"env": "NAME"}` or `{"file": "/path"}`. */
  secret(member: string, lookup: Lookup): Secret | undefined {
    if (isText(this.#raw[member])) return this.#asSecret(member, this.text(member))
    const source = this.object(member)
    if (source === undefined) return undefined
    const [[kind, at] = [], ...rest] = Object.entries(source)
    if (rest.length > 0 || !isText(at) || (kind !== 'env' && kind !== 'file'))
      return this.fault(member, 'must be a string, {"env": "NAME"} or {"file": "/path"}.')
    return this.#asSecret(member, kind === 'env' ? lookup(at) : this.#fileText(member, at))
  }

  /** Records every member that was not read: a misspelled rule would otherwise silently not apply. */
  finish(): void {
    for (const member of Object.keys(this.#raw))
      if (!this.#known.has(member)) this.fault(member.slice(0, 60), 'is unknown.')
  }

  #asSecret(member: string, value: string | undefined): Secret | undefined {
    const trimmed = value?.trim()
    return trimmed ? new Secret(trimmed) : this.fault(member, 'is empty.')
  }

  #fileText(member: string, path: string): string | undefined {
    try {
      return readFileSync(path, 'utf8')
    } catch {
      return this.fault(member, 'names a file that cannot be read.')
    }
  }

  #read<T>(member: string, isRight: (value: unknown) => value is T, otherwise: string): T | undefined {
    this.#known.add(member)
    const value = this.#raw[member]
    if (value === undefined) return undefined
    return isRight(value) ? value : this.fault(member, otherwise)
  }
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && isBetween(value.length, 1, 400)
}

function isTexts(value: unknown): value is string | readonly string[] {
  return isText(value) || (Array.isArray(value) && isBetween(value.length, 1, 50) && value.every(isText))
}

function isFlag(value: unknown): value is boolean {
  return typeof value === 'boolean'
}

function isValues(value: unknown): value is Readonly<Record<string, string | boolean>> {
  return isObject(value) && Object.values(value).every((one) => isFlag(one) || isText(one))
}

function isBetween(value: number, min: number, max: number): boolean {
  return value >= min && value <= max
}
