import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

export const root = fileURLToPath(new URL('../..', import.meta.url))

/** What one block of a recipe asks the reader to do. `title` is the sentence above the block. */
export type Step =
  | { readonly kind: 'create'; readonly title: string; readonly file: string; readonly text: string }
  | {
      readonly kind: 'after' | 'before' | 'replace'
      readonly title: string
      readonly file: string
      /** A whole line of the file, without its indentation. It stands there exactly once. */
      readonly anchor: string
      readonly text: string
    }
  | { readonly kind: 'run'; readonly title: string; readonly commands: readonly string[] }

export type Edit = Exclude<Step, { kind: 'run' }>

/**
 * The steps of the section of `page` with this heading. The paragraph above each block says what the block is for:
 * ``Create `file`:``, ``In `file`, after `line`, add:`` (or `before`), ``In `file`, replace `line` with:`` or `Run:`.
 * Blocks in other languages than these are for reading only.
 */
export function readRecipe(page: string, heading: string): readonly Step[] {
  const text = readFileSync(join(root, page), 'utf8')
  const section = sectionOf(text, heading)
  if (section === undefined) throw new Error(`${page} has no section "${heading}"`)
  const blocks = [...section.matchAll(/((?:^[^\n]+\n)+)\n*^(`{3,})(?:ts|sql|sh|markdown)\n(.*?)^\2$/gms)]
  if (blocks.length === 0) throw new Error(`${page}: "${heading}" has no steps`)
  return blocks.map(([, paragraph = '', , block = '']) => stepOf(paragraph.trim().replaceAll(/\s*\n\s*/g, ' '), block))
}

/** From the heading to the next one of the same or a higher level. */
function sectionOf(text: string, heading: string): string | undefined {
  const lines = text.split('\n')
  const start = lines.findIndex((line) => /^#+ /.test(line) && line.replace(/^#+ /, '') === heading)
  if (start < 0) return undefined
  const level = (lines[start] ?? '').indexOf(' ')
  let isFenced = false
  const length = lines.slice(start + 1).findIndex((line) => {
    if (line.startsWith('```')) isFenced = !isFenced
    return !isFenced && /^#+ /.test(line) && line.indexOf(' ') <= level
  })
  return `${lines.slice(start + 1, length < 0 ? undefined : start + 1 + length).join('\n')}\n`
}

function stepOf(title: string, text: string): Step {
  const created = /Create `([^`]+)`[^`]*:$/.exec(title)
  if (created?.[1]) return { kind: 'create', title, file: created[1], text }
  const edited = /In `([^`]+)`, (after|before|replace) (`` .+ ``|`[^`]+`),? (?:add|with):$/.exec(title)
  const [, file, kind, quoted = ''] = edited ?? []
  if (file && (kind === 'after' || kind === 'before' || kind === 'replace'))
    return { kind, title, file, anchor: quoted.replaceAll(/^`+ ?| ?`+$/g, ''), text }
  if (/Run:$/.test(title)) return { kind: 'run', title, commands: text.trim().split('\n') }
  throw new Error(`this sentence does not say what the block below it is for: ${title}`)
}

export function editsOf(steps: readonly Step[]): readonly Edit[] {
  return steps.filter((step) => step.kind !== 'run')
}

export function commandsOf(steps: readonly Step[]): readonly string[] {
  return steps.flatMap((step) => (step.kind === 'run' ? step.commands : []))
}

/** The file as it is after the edit. `before` is its text, `undefined` where there is no such file. */
export function edited(step: Edit, before: string | undefined): string {
  if (step.kind === 'create') {
    if (before !== undefined) throw new Error(`${step.file} exists already`)
    return step.text
  }
  const lines = before?.split('\n') ?? []
  const places = lines.flatMap((line, n) => (line.trim() === step.anchor ? [n] : []))
  const [place = 0] = places
  if (places.length !== 1) throw new Error(`${step.file} has ${places.length} lines \`${step.anchor}\`: ${step.title}`)
  const added = step.text.replace(/\n$/, '').split('\n')
  if (step.kind === 'replace') lines.splice(place, 1, ...added)
  else lines.splice(step.kind === 'after' ? place + 1 : place, 0, ...added)
  return lines.join('\n')
}

/** A copy of the checkout without its history, build and data; `node_modules` is a link. */
export interface Checkout {
  readonly folder: string
  apply(edits: readonly Edit[]): void
  /** Writes what `change` makes of the text of a file. */
  change(file: string, change: (text: string) => string): void
  /** The end of what was printed, where the command failed; nothing where it did not. Throws where it was killed. */
  run(command: string): Promise<string | undefined>
  /** Makes what is there now, `dist` with it, the state that `reset` returns to. */
  keep(): Promise<void>
  reset(): Promise<void>
  remove(): void
}

export function newCheckout(): Checkout {
  const folder = mkdtempSync(join(tmpdir(), 'muster-checkout-'))
  const left = new Set(['.git', 'node_modules', 'tools/node_modules', 'dist', 'data', 'coverage'])
  // A link of the checkout stays relative: Biome fails at one that leads out of the folder.
  cpSync(root, folder, { recursive: true, verbatimSymlinks: true, filter: (path) => !left.has(relative(root, path)) })
  for (const path of ['node_modules', 'tools/node_modules']) symlinkSync(join(root, path), join(folder, path))
  const runHere = async (command: string) => {
    const failure = await runIn(folder, command)
    if (failure !== undefined) throw new Error(failure)
  }

  return {
    folder,
    apply(edits) {
      for (const edit of edits) {
        const path = join(folder, edit.file)
        const text = edited(edit, readIfThere(path))
        mkdirSync(dirname(path), { recursive: true })
        writeFileSync(path, text)
      }
    },
    change(file, change) {
      const path = join(folder, file)
      writeFileSync(path, change(readFileSync(path, 'utf8')))
    },
    run: (command) => runIn(folder, command),
    async keep() {
      await runHere('git init --quiet && git add --all && git add --force dist')
      const settings = '-c user.name=test -c user.email=test@localhost -c commit.gpgSign=false'
      await runHere(`git ${settings} commit --quiet --no-verify --message kept`)
    },
    reset: () => runHere('git reset --quiet --hard && git clean --quiet --force -d'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

async function runIn(folder: string, command: string): Promise<string | undefined> {
  const { PATH, HOME, TMPDIR } = process.env
  const env = { PATH, HOME, ...(TMPDIR !== undefined && { TMPDIR }), CI: 'true', NO_COLOR: '1' }
  const options = { cwd: folder, env, maxBuffer: 2 ** 26 }
  try {
    await promisify(execFile)('bash', ['-c', `exec 2>&1\n${command}`], options)
    return undefined
  } catch (error) {
    // The verdict of a command is its exit code: one that was killed, or could not be started, has none.
    if (!(error instanceof Error && 'code' in error && typeof error.code === 'number' && 'stdout' in error)) throw error
    return `${command}\n${error.stdout}`.slice(-8_000)
  }
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
