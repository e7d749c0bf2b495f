import { styleText } from 'node:util'
import { Command } from 'commander'
import { newestMigration } from '../src/platform/database/schema.ts'
import { versionAndCommit } from '../src/platform/package-root.ts'

/**
 * The command line. Each group of commands is defined in files of `commands/`. Where the first argument names a group, only the files of
 * that are loaded: all of them load most of the service.
 */
export async function createProgram(called?: string): Promise<Command> {
  const program = new Command('muster')
    .description('Run and administer Muster, a self-hosted account service.')
    .version(versionText(), '-V, --version', 'Print the version, the commit where it is known, and the schema.')
    .helpOption('-h, --help', 'Show this help.')
    .helpCommand('help [command]', 'Show the help of a command.')
    .configureHelp({ styleTitle: (title) => styleText('bold', title, { validateStream: false }) })
    .addHelpText('after', outro)
    .exitOverride()

  const ofCalled = groups.filter(([names]) => names.includes(called ?? ''))
  const wanted = ofCalled.length > 0 ? ofCalled : groups
  // All are loaded before the first is defined: later files extend the groups of earlier ones.
  for (const define of await Promise.all(wanted.map(([, load]) => load()))) define(program)
  return program
}

type Define = (program: Command) => void

/** The groups that each file defines or extends, in the order of the help. */
const groups: readonly (readonly [names: readonly string[], load: () => Promise<Define>])[] = [
  [['serve'], async () => (await import('./commands/serve.ts')).serve],
  [['migrate'], async () => (await import('./commands/migrate.ts')).migrate],
  [['doctor'], async () => (await import('./commands/doctor.ts')).doctor],
  [['token'], async () => (await import('./commands/token.ts')).token],
  [['users'], async () => (await import('./commands/users.ts')).users],
  [['users'], async () => (await import('./commands/erasure.ts')).erasure],
  [['passwords'], async () => (await import('./commands/passwords.ts')).passwords],
  [['orgs'], async () => (await import('./commands/orgs.ts')).orgs],
  [['orgs'], async () => (await import('./commands/org-members.ts')).orgMembers],
  [['roles', 'users'], async () => (await import('./commands/roles.ts')).roles],
  [['grants'], async () => (await import('./commands/grants.ts')).grants],
  [['plans'], async () => (await import('./commands/plans.ts')).plans],
  [['service-keys'], async () => (await import('./commands/service-keys.ts')).serviceKeys],
  [['webhooks'], async () => (await import('./commands/webhooks.ts')).webhooks],
  [['billing'], async () => (await import('./commands/billing.ts')).billing],
  [['keys'], async () => (await import('./commands/keys.ts')).keys],
  [['providers'], async () => (await import('./commands/providers.ts')).providers],
  [['directory'], async () => (await import('./commands/directory.ts')).directory],
  [['mail'], async () => (await import('./commands/mail.ts')).mail],
  [['audit'], async () => (await import('./commands/audit.ts')).audit],
  [['import'], async () => (await import('./commands/import.ts')).importPeople],
  [['export'], async () => (await import('./commands/export.ts')).exportPeople],
  [['backup'], async () => (await import('./commands/backup.ts')).backup],
  [['restore'], async () => (await import('./commands/backup.ts')).restore],
  [['seed'], async () => (await import('./commands/seed.ts')).seed],
  [['users', 'keys'], async () => (await import('./commands/issuer.ts')).issuer],
  [['users'], async () => (await import('./commands/recovery.ts')).recovery],
  [['openapi'], async () => (await import('./commands/openapi.ts')).openapi],
]

const outro = `
Every command reads its settings from the environment, as the service does.
docs/configuration.md lists them, and muster doctor checks them.`

function versionText(): string {
  return `${versionAndCommit()}\ncontract /api/v1, schema ${newestMigration()}`
}
