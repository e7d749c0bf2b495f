import type { Command } from 'commander'
import type { EraseOptions } from '../run-erase.ts'

/** The commands of the group `users` for the end of an account. */
export function erasure(program: Command): void {
  const users = program.commands.find((command) => command.name() === 'users') ?? program.command('users')
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

const eraseExamples = `
Examples:
  muster users erase ada@example.com
  muster users erase 0197b2a4-6cff-7a20-8a51-5fd1c4e0bb01 --now
  muster restore backup && muster users erase --again`
