import { styleText } from 'node:util'
import { Command } from 'commander'
import { newestMigration } from '../src/platform/database/schema.ts'
import { versionAndCommit } from '../src/platform/package-root.ts'
import { audit } from './commands/audit.ts'
import { backup, restore } from './commands/backup.ts'
import { billing } from './commands/billing.ts'
import { directory } from './commands/directory.ts'
import { doctor } from './commands/doctor.ts'
import { dump, load } from './commands/dump.ts'
import { erasure } from './commands/erasure.ts'
import { exportPeople } from './commands/export.ts'
import { grants } from './commands/grants.ts'
import { importPeople } from './commands/import.ts'
import { issuer } from './commands/issuer.ts'
import { keys } from './commands/keys.ts'
import { mail } from './commands/mail.ts'
import { migrate } from './commands/migrate.ts'
import { openapi } from './commands/openapi.ts'
import { orgMembers } from './commands/org-members.ts'
import { orgs } from './commands/orgs.ts'
import { passwords } from './commands/passwords.ts'
import { plans } from './commands/plans.ts'
import { providers } from './commands/providers.ts'
import { recovery } from './commands/recovery.ts'
import { roles } from './commands/roles.ts'
import { seed } from './commands/seed.ts'
import { serve } from './commands/serve.ts'
import { serviceKeys } from './commands/service-keys.ts'
import { token } from './commands/token.ts'
import { upgrade } from './commands/upgrade.ts'
import { users } from './commands/users.ts'
import { webhooks } from './commands/webhooks.ts'

/** The command line. Each group of commands is defined in its own file of `commands/`. */
export function createProgram(): Command {
  const program = new Command('muster')
    .description('Run and administer Muster, a self-hosted account service.')
    .version(versionText(), '-V, --version', 'Print the version, the commit where it is known, and the schema.')
    .helpOption('-h, --help', 'Show this help.')
    .helpCommand('help [command]', 'Show the help of a command.')
    .configureHelp({ styleTitle: (title) => styleText('bold', title, { validateStream: false }) })
    .addHelpText('after', outro)
    .exitOverride()

  serve(program)
  migrate(program)
  doctor(program)
  token(program)
  users(program)
  erasure(program) // after `users`, whose group it extends
  passwords(program)
  orgs(program)
  orgMembers(program) // after `orgs`, whose group it extends
  roles(program)
  grants(program)
  plans(program)
  serviceKeys(program)
  webhooks(program)
  billing(program)
  keys(program)
  providers(program)
  directory(program)
  mail(program)
  audit(program)
  importPeople(program)
  exportPeople(program)
  backup(program)
  restore(program)
  dump(program)
  load(program)
  upgrade(program)
  seed(program)
  issuer(program) // after `users` and `keys`, whose groups it extends
  recovery(program) // after `users`, whose group it extends
  openapi(program)
  return program
}

const outro = `
Every command reads its settings from the environment, as the service does.
docs/configuration.md lists them, and muster doctor checks them.`

function versionText(): string {
  return `${versionAndCommit()}\ncontract /api/v1, schema ${newestMigration()}`
}
