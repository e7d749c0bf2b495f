import type { Command } from 'commander'
import { unprovedOption } from '../find-account.ts'
import type { RecoverOptions, SetEmailOptions } from '../run-recovery.ts'

const user = ['<user>', 'E-mail address or id.'] as const

/** The commands of the group `users` for people who cannot sign in. */
export function recovery(program: Command): void {
  const users = program.commands.find((command) => command.name() === 'users') ?? program.command('users')
  addRecover(users)
  addUnlock(users)
  addSetEmail(users)
  addResetFactors(users)
}

function addRecover(users: Command): void {
  users
    .command('recover')
    .summary('Make a link with which a user chooses a new password.')
    .description(
      'Make a link with which a user chooses a new password, once. Where the account has a second factor, the link asks for it too. Prints the link and nothing else; Muster does not show it again. Until it is used, nothing changes.',
    )
    .argument(...user)
    .option('--reset-factors', 'The user has lost the second factors too: the link removes them.')
    .option(...unprovedOption)
    .option('--expires <time>', 'How long the link is valid, from 1h to 7d.', '24h')
    .option('--json', 'Print the link as JSON, with the time at which it expires.')
    .addHelpText('after', recoverExamples)
    .action(async (who: string, options: RecoverOptions) => {
      const { runRecover } = await loadRunners()
      await runRecover(who, options)
    })
}

function addUnlock(users: Command): void {
  users
    .command('unlock')
    .summary('Give a user all attempts to sign in back.')
    .description(
      'Give a user all attempts to sign in back, after wrong passwords or codes. The limits of networks stay.',
    )
    .argument(...user)
    .action(async (who: string) => {
      const { runUnlock } = await loadRunners()
      await runUnlock(who)
    })
}

function addSetEmail(users: Command): void {
  users
    .command('set-email')
    .summary('Change the address that a user signs in with.')
    .description(
      'Change the address that a user signs in with. Sessions stay open, and links that were made before are not valid any more. Where the service sends mail, a proved address before gets a notification.',
    )
    .argument(...user)
    .argument('<address>', 'The new e-mail address.')
    .option(
      '--proved',
      'You vouch that the new address is that of the user: accounts that have it without a proof lose it. The user is named by id, or by a proved address.',
    )
    .option(...unprovedOption)
    .action(async (who: string, address: string, options: SetEmailOptions) => {
      const { runSetEmail } = await loadRunners()
      await runSetEmail(who, address, options)
    })
}

function addResetFactors(users: Command): void {
  users
    .command('reset-factors')
    .summary('Remove the second factors of a user.')
    .description(
      'Remove every second factor and recovery code of a user, and end the sessions. The user then signs in with the password alone. Where the service sends mail, the user gets a notification.',
    )
    .argument(...user)
    .action(async (who: string) => {
      const { runResetFactors } = await loadRunners()
      await runResetFactors(who)
    })
}

const recoverExamples = `
Examples:
  muster users recover ada@example.com
  muster users recover ada@example.com --reset-factors --expires 2h`

/** Loaded when a command runs: it would double the start time of every other command. */
function loadRunners() {
  return import('../run-recovery.ts')
}
