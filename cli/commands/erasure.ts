import type { Command } from 'commander'
import type { EraseOptions } from '../run-erase.ts'

/** The commands of the group `users` for the rights of a person: a copy of the data, and its erasure. */
export function erasure(program: Command): void {
  const users = program.commands.find((command) => command.name() === 'users') ?? program.command('users')
  addExport(users)
  addErase(users)
}

function addErase(users: Command): void {
  users
    .command('erase')
    .summary('Erase a user.')
    .description(
      'Erase a user after MUSTER_ERASE_AFTER_DAYS, until which muster users enable, or the user, keeps the account. At once it is disabled, and its sessions end. Refused for the last administrator, for who alone manages an organisation with other members, and while a subscription has not ended.',
    )
    .argument('[user]', 'E-mail address or id.')
    .option('--now', 'Erase the user before the command ends. Nothing brings the account back.')
    .option('--again', 'After a restore: erase whom erasures.ndjson in the data directory names, and who came back.')
    .addHelpText('after', eraseExamples)
    .action(async (who: string | undefined, options: EraseOptions) => {
      // Loaded here, because few commands need it.
      const { runErase } = await import('../run-erase.ts')
      await runErase(who, options)
    })
}

function addExport(users: Command): void {
  users
    .command('export')
    .summary('Print everything about a user.')
    .description(
      'Print everything about a user as JSON, as GET /auth/account/export answers it to the user: no secret is in it.',
    )
    .argument('<user>', 'E-mail address or id.')
    .addHelpText('after', exportExamples)
    .action(async (who: string) => {
      const { runExportAccount } = await import('../run-erase.ts')
      await runExportAccount(who)
    })
}

const exportExamples = `
Examples:
  muster users export ada@example.com > ada.json`

const eraseExamples = `
Examples:
  muster users erase ada@example.com
  muster users erase 0197b2a4-6cff-7a20-8a51-5fd1c4e0bb01 --now
  muster restore backup && muster users erase --again`
