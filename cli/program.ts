import { styleText } from 'node:util'
import { Command } from 'commander'
import { newestMigration } from '../src/platform/database/schema.ts'
import { versionAndCommit } from '../src/platform/package-root.ts'

/**
 * The command line. `args` are the arguments after `muster`. Only the files of the command that they name are loaded, because all commands
 * together load most of the service. Without `args`, loads all commands.
 */
export async function createProgram(args?: readonly string[]): Promise<Command> {
  const program = new Command('muster')
    .description('Run and administer Muster: users, plans and checks of DNS provider keys.')
    .version(versionText(), '-V, --version', 'Print the version, the commit if known, and the schema.')
    .helpOption('-h, --help', 'Show this help.')
    .commandsGroup('Other:')
    .helpCommand('help [command]', 'Show the help of a command.')
    .configureHelp({
      styleTitle: (title) => styleText('bold', title, { validateStream: false }),
      // In a list, a command shows the first sentence of its description.
      subcommandDescription: (command) => command.summary() || command.description().replace(/\. .*/s, '.'),
    })
    .addHelpText('after', outro)
    .exitOverride()

  const [called] = args?.filter((arg) => arg !== 'help' && !arg.startsWith('-')) ?? []
  for (const [heading, commands] of Object.entries(groups))
    for (const [name, [summary, load]] of Object.entries(commands)) {
      const command = program.command(name).helpGroup(`${heading}:`).summary(summary).description(summary)
      command.commandsGroup('Commands:')
      if (args !== undefined && name !== called) continue
      const define = await load()
      define(command)
      if (command.commands.length > 0) command.helpCommand('help [command]', 'Show the help of a command.')
    }
  return program
}

/** The function that `load` returns adds arguments, options, actions and subcommands. */
type Listed = readonly [summary: string, load: () => Promise<(command: Command) => void>]

/** All commands in the order of the help, by heading and name. */
const groups: Readonly<Record<string, Readonly<Record<string, Listed>>>> = {
  Run: {
    serve: ['Start the service.', async () => (await import('./commands/serve.ts')).serve],
    doctor: ['Check settings, database and dependencies.', async () => (await import('./commands/doctor.ts')).doctor],
    migrate: ['Apply pending schema migrations.', async () => (await import('./commands/serve.ts')).migrate],
    seed: ['Create demo data.', async () => (await import('./commands/seed.ts')).seed],
  },
  'Users and access': {
    users: ['Create, invite, disable and delete users.', async () => (await import('./commands/users.ts')).users],
    orgs: ['Manage organizations and their members.', async () => (await import('./commands/orgs.ts')).orgs],
    roles: ['Create and remove roles.', async () => (await import('./commands/roles.ts')).roles],
    grants: [
      'List and change the permissions of roles and plans.',
      async () => (await import('./commands/roles.ts')).grants,
    ],
    'service-keys': [
      'Manage API keys for programs.',
      async () => (await import('./commands/service-keys.ts')).serviceKeys,
    ],
    token: ['Print an access token for a user.', async () => (await import('./commands/token.ts')).token],
    passwords: [
      'Report and expire password hashes; build the list of breached passwords.',
      async () => (await import('./commands/passwords.ts')).passwords,
    ],
    directory: [
      'Choose where Muster reads second factors.',
      async () => (await import('./commands/directory.ts')).directory,
    ],
    audit: ['Show the audit log.', async () => (await import('./commands/audit.ts')).audit],
  },
  Billing: {
    plans: [
      'Manage plans, their permissions and mapped prices.',
      async () => (await import('./commands/plans.ts')).plans,
    ],
    billing: [
      'Sync subscriptions and link customers to users and organizations.',
      async () => (await import('./commands/billing.ts')).billing,
    ],
  },
  'Provider keys': {
    keys: ['Check provider keys; rotate Muster’s own keys.', async () => (await import('./commands/keys.ts')).keys],
    providers: [
      'Test Muster against a provider’s live API.',
      async () => (await import('./commands/providers.ts')).providers,
    ],
  },
  Notifications: {
    webhooks: [
      'Manage webhook endpoints and their deliveries.',
      async () => (await import('./commands/webhooks.ts')).webhooks,
    ],
    mail: ['Show the mail queue and send a test email.', async () => (await import('./commands/mail.ts')).mail],
  },
  Data: {
    import: ['Import users from another product.', async () => (await import('./commands/import.ts')).importUsers],
    export: ['Export the list of users to a file.', async () => (await import('./commands/export.ts')).exportCommand],
    backup: ['Back up the database to a file.', async () => (await import('./commands/backup.ts')).backup],
    restore: ['Restore a backup into an empty database.', async () => (await import('./commands/backup.ts')).restore],
  },
  Other: { openapi: ['Print the OpenAPI document.', async () => (await import('./commands/openapi.ts')).openapi] },
}

const outro = `
Settings come from environment variables; docs/configuration.md lists them.
Run muster doctor to check them.`

function versionText(): string {
  return `${versionAndCommit()}\ncontract /api/v1, schema ${newestMigration()}`
}
