import { styleText } from 'node:util'
import { Command } from 'commander'
import { packageVersion } from '../src/platform/package-root.ts'
import { audit } from './commands/audit.ts'
import { backup, restore } from './commands/backup.ts'
import { billing } from './commands/billing.ts'
import { directory } from './commands/directory.ts'
import { doctor } from './commands/doctor.ts'
import { exportPeople } from './commands/export.ts'
import { grants } from './commands/grants.ts'
import { importPeople } from './commands/import.ts'
import { issuer } from './commands/issuer.ts'
import { keys } from './commands/keys.ts'
import { migrate } from './commands/migrate.ts'
import { openapi } from './commands/openapi.ts'
import { orgMembers } from './commands/org-members.ts'
import { orgs } from './commands/orgs.ts'
import { plans } from './commands/plans.ts'
import { roles } from './commands/roles.ts'
import { seed } from './commands/seed.ts'
import { serve } from './commands/serve.ts'
import { token } from './commands/token.ts'
import { users } from './commands/users.ts'

/** The command line: every group of commands by name. Each sets itself up in its own file of `commands/`. */
export function createProgram(): Command {
  const program = new Command('muster')
    .description('Who is calling, who the users are, and whether a DNS or CDN provider’s key works.')
    .version(packageVersion(), '-V, --version', 'Tell the version.')
    .helpOption('-h, --help', 'Tell how to use it.')
    .helpCommand('help [command]', 'Tell how to use a command.')
    .configureHelp({ styleTitle: (title) => styleText('bold', title, { validateStream: false }) })
    .addHelpText('after', outro)
    .exitOverride()

  serve(program)
  migrate(program)
  doctor(program)
  token(program)
  users(program)
  orgs(program)
  orgMembers(program) // after the group to which it adds
  roles(program)
  grants(program)
  plans(program)
  billing(program)
  keys(program)
  directory(program)
  audit(program)
  importPeople(program)
  exportPeople(program)
  backup(program)
  restore(program)
  seed(program)
  issuer(program) // after the groups to which it adds
  openapi(program)
  return program
}

const outro = `
Settings come from the environment, the same for every command as for the
service: docs/configuration.md lists them, and muster doctor checks them.`
