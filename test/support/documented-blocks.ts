import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A fenced block of a page; `output` is the block behind it that shows what it prints. */
export interface Block {
  readonly page: string
  readonly line: number
  readonly language: string
  readonly text: string
  readonly output?: string | undefined
}

/** Pages that people write and read, in the order of their names. */
export const writtenPages: readonly string[] = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'client/README.md',
  'react/README.md',
  'key-check/README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => `docs/${path}`)
    .sort(),
]

/** The blocks of a page. A block in `output` belongs to the one before it. */
export function blocksOf(page: string): readonly Block[] {
  const text = readFileSync(join(root, page), 'utf8')
  const found = [...text.matchAll(/^( *)(`{3,})([^\n]*)\n(.*?)^\1\2 *$/gms)].map((match) => ({
    page,
    line: text.slice(0, match.index).split('\n').length,
    language: match[3] ?? '',
    text: match[4] ?? '',
  }))
  return found.flatMap((block, n) => {
    if (block.language === 'output') return []
    const next = found[n + 1]
    return [{ ...block, ...(next?.language === 'output' && { output: next.text }) }]
  })
}

/** The test that runs a block, or the reason why none does. */
type Held = {
  readonly page: string
  /** How the first line of the block begins; without it, all blocks of the page in these languages that no other entry names. */
  readonly starts?: string
  readonly languages?: readonly string[]
} & ({ readonly by: string } | { readonly because: string })

/** Runs the commands of these pages in their order: a new block there is run without a line here. */
export const commandsTest = 'test/docs-commands.long.test.ts'

const recipes = 'test/support/recipes.ts'
const shell = ['sh', 'console']
const development = 'They are the checks themselves, or hours of them; CI runs each.'
const install =
  'It needs a registry of npm or a package made before; test/scripts/package.long.test.ts installs and starts one.'
const otherProduct =
  'It needs the tables of the other product in the database; test/identity/directory.test.ts makes them.'
const operator =
  'It needs files and folders of an operator’s machine; test/cli/moving.test.ts and test/cli/embedded.long.test.ts do the same in others.'
const aPart = 'A part of a file that is not there as a whole.'
const provider = 'It calls a provider with a key of yours; test/cli/keys-check.test.ts does the same with simulators.'

export const heldBlocks: readonly Held[] = [
  {
    page: 'README.md',
    starts: 'npm ci && npm start',
    because: `${development} scripts/start-from-nothing.sh starts it.`,
  },
  { page: 'README.md', starts: 'npm ci && npm test', because: development },
  { page: 'README.md', starts: 'npm install --ignore-scripts', because: install },
  { page: 'README.md', languages: [...shell, 'json'], by: commandsTest },

  { page: 'CONTRIBUTING.md', languages: ['sh'], because: development },
  { page: 'docs/contributing/add-a-field-to-user-data.md', languages: ['sh', 'sql', 'ts'], by: recipes },
  { page: 'docs/contributing/add-a-filter.md', languages: ['sh', 'ts', 'markdown'], by: recipes },
  { page: 'docs/contributing/add-an-operation.md', languages: ['sh', 'ts'], by: recipes },
  { page: 'docs/contributing/add-a-provider.md', languages: ['sh', 'ts'], by: recipes },
  { page: 'docs/contributing/add-a-payment-processor.md', languages: ['sh', 'ts'], by: recipes },
  { page: 'docs/contributing/add-an-issuer.md', languages: ['sh'], because: development },
  {
    page: 'docs/contributing/releasing.md',
    languages: ['sh'],
    because: 'test/scripts/release.long.test.ts runs it, without the push.',
  },

  { page: 'client/README.md', languages: ['ts'], because: 'A part of the program of docs/client.md.' },
  { page: 'react/README.md', languages: ['tsx'], because: 'A part of the program of docs/client.md.' },
  { page: 'key-check/README.md', languages: ['ts'], by: 'test/scripts/key-check.long.test.ts' },
  { page: 'docs/client.md', starts: 'npm install', because: install },
  { page: 'docs/client.md', languages: ['ts'], by: 'test/client/docs.long.test.ts' },
  { page: 'docs/client.md', languages: ['tsx'], by: 'test/browser/react.long.test.ts' },
  {
    page: 'docs/client.md',
    starts: 'MUSTER_ALLOWED_ORIGINS',
    because: 'A setting; test/browser/cors.long.test.ts starts the service with it.',
  },
  {
    page: 'docs/client.md',
    languages: ['js'],
    because: 'A part of a page; test/browser/cors.long.test.ts calls so.',
  },

  {
    page: 'docs/start.md',
    starts: 'npm ci && npm start',
    because: `${development} scripts/start-from-nothing.sh starts it.`,
  },
  { page: 'docs/start.md', languages: shell, by: commandsTest },
  { page: 'docs/administration.md', languages: shell, by: commandsTest },
  { page: 'docs/audit.md', languages: shell, by: commandsTest },
  { page: 'docs/organizations.md', languages: shell, by: commandsTest },
  { page: 'docs/permissions.md', languages: shell, by: commandsTest },
  {
    page: 'docs/upgrading.md',
    languages: [''],
    because:
      'It needs an installation of the release before; scripts/faults.ts two-versions and test/cli/embedded.long.test.ts do the same.',
  },
  {
    page: 'docs/webhooks.md',
    languages: ['js', ''],
    because: 'test/webhooks/docs.test.ts runs the program, and test/cli/webhooks-commands.test.ts the commands.',
  },
  { page: 'docs/checking-keys.md', starts: 'muster keys check -p route53', because: provider },
  { page: 'docs/checking-keys.md', starts: 'muster providers probe', because: provider },
  { page: 'docs/checking-keys.md', starts: 'muster keys watch', because: provider },
  {
    page: 'docs/checking-keys.md',
    starts: 'node scripts/key-check.js',
    because: `${install} So does test/scripts/key-check.long.test.ts.`,
  },
  { page: 'docs/checking-keys.md', languages: shell, by: commandsTest },
  {
    page: 'docs/checking-keys.md',
    languages: ['json', 'ini'],
    because: `${aPart} test/cli/keys-watch.test.ts and keys-parts.test.ts send such.`,
  },

  { page: 'docs/signing-in.md', languages: ['sh'], by: 'test/http/auth/sign-in/signing-in-docs.test.ts' },
  {
    page: 'docs/signing-in.md',
    languages: ['text', 'js'],
    because: `${aPart} test/browser/passkeys.long.test.ts signs in so.`,
  },
  { page: 'docs/mail.md', languages: ['sh'], by: 'test/http/auth/recovery/mail-docs.test.ts' },
  {
    page: 'docs/mail.md',
    languages: ['text'],
    because: `${aPart} test/platform/mail/templates.test.ts sends such texts.`,
  },
  { page: 'docs/issuers.md', languages: ['json'], by: 'test/identity/issuer-recipes.test.ts' },
  { page: 'docs/issuers.md', languages: ['ts', 'text'], because: aPart },
  {
    page: 'docs/issuers.md',
    languages: ['jsonc'],
    because: 'It needs an issuer; test/browser/console-signin.long.test.ts has such an entry.',
  },
  { page: 'docs/issuers.md', starts: 'muster directory use supabase', because: otherProduct },
  { page: 'docs/issuers.md', starts: 'muster directory use better-auth', because: otherProduct },
  { page: 'docs/issuers.md', starts: 'begin;', because: otherProduct },
  { page: 'docs/issuers.md', languages: shell, by: commandsTest },

  { page: 'docs/cli.md', languages: ['text'], because: 'Generated: what each command prints with --help.' },

  { page: 'docs/backup.md', languages: ['sh'], because: operator },
  {
    page: 'docs/deploying.md',
    starts: 'useradd',
    because: 'It changes the machine: systemd and a user of its own, as root.',
  },
  { page: 'docs/deploying.md', starts: 'runuser', because: 'It needs an installed service and its user, as root.' },
  {
    page: 'docs/deploying.md',
    starts: 'docker',
    because: 'It needs Docker; test/scripts/image.long.test.ts does the same with Buildah.',
  },
  { page: 'docs/deploying.md', starts: 'cd deploy/compose', because: 'It needs Docker and a domain.' },
  {
    page: 'docs/deploying.md',
    starts: 'kubectl',
    because: 'It needs a cluster; test/deploy/files.test.ts reads the manifest.',
  },
  {
    page: 'docs/deploying.md',
    starts: 'HTTPS_PROXY',
    because: 'It needs a proxy with this name; test/http/outgoing/proxy.test.ts starts one.',
  },
  {
    page: 'docs/monitoring.md',
    starts: 'MUSTER_OTLP_URL',
    because: 'It needs a collector; test/platform/tracing has a small one.',
  },
  { page: 'docs/monitoring.md', languages: shell, by: commandsTest },
  {
    page: 'docs/monitoring.md',
    languages: ['yaml'],
    because:
      'Parts of the files of Prometheus, Kubernetes and a collector; test/deploy/files.test.ts reads the whole ones.',
  },
  { page: 'docs/scaling.md', starts: 'npm run build', because: development },
  { page: 'docs/scaling.md', starts: 'npm install', because: install },
  { page: 'docs/scaling.md', starts: 'node scripts/fuzz-http.ts', because: development },
  {
    page: 'docs/scaling.md',
    starts: 'install -D',
    because: 'It needs systemd; test/service/shared-port.test.ts starts two processes on one address.',
  },
  {
    page: 'docs/scaling.md',
    because:
      'It needs machines, or a managed service; scripts/faults.ts starts the same cluster on one machine, and test/deploy/high-availability.test.ts reads the files.',
    languages: [...shell, 'yaml', ''],
  },
  { page: 'docs/decisions/dependencies.md', languages: ['sh'], because: 'It needs a registry of npm.' },
  {
    page: 'docs/decisions/migrations.md',
    languages: ['sql'],
    because: 'The last line of a migration, as each migration has it.',
  },
]

/** What holds the block; the entry that names its first line before the one for its page. */
export function heldBy({ page, text, language }: Block): Held | undefined {
  const ofPage = heldBlocks.filter((held) => held.page === page)
  return (
    ofPage.find(({ starts }) => starts !== undefined && text.startsWith(starts)) ??
    ofPage.find(({ starts, languages }) => starts === undefined && languages?.includes(language))
  )
}
