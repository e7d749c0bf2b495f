import type { Command } from 'commander'
import { jsonLinesOption, unprovedOption, userArgument } from '../options.ts'

// Each action loads its own file: together they would double the start time of every command of this group.

export function users(group: Command): void {
  addAccountCommands(group)
  addPreferenceCommands(group)
  addSignInCommands(group)
  addRecoveryCommands(group)
  addDataCommands(group)
}

function addAccountCommands(group: Command): void {
  group
    .command('list')
    .description('List all users, oldest first. Prints a table on a terminal, otherwise one JSON object per line.')
    .option(...jsonLinesOption)
    .addHelpText('after', listExamples)
    .action(async (options) => (await import('../users/accounts.ts')).listUsers(options))
  group
    .command('show')
    .description(
      'Show a user: status, organizations, identities, subscriptions, second factors, open sessions and sign-in rate limits. Contains no secrets.',
    )
    .argument('[user]', 'Email or ID.')
    .option('--issuer <issuer>', 'Find the user by this `iss` of their tokens, with --subject.')
    .option('--subject <subject>', 'The ID of the user at this issuer, usually `sub`.')
    .option('--json', 'Print the user as JSON.')
    .addHelpText('after', showExamples)
    .action(async (who: string | undefined, options) => (await import('../users/show.ts')).showUser(who, options))
  group
    .command('disable')
    .description('Disable a user. Ends their sessions and rejects their tokens from now on.')
    .argument(...userArgument)
    .action(async (who: string) => (await import('../users/accounts.ts')).setDisabled(who, true))
  group
    .command('enable')
    .description('Enable a disabled user. Ended sessions stay ended.')
    .argument(...userArgument)
    .action(async (who: string) => (await import('../users/accounts.ts')).setDisabled(who, false))
  group
    .command('set-role')
    .description('Change the role of a user. Applies to the next request.')
    .argument(...userArgument)
    .argument('<role>')
    .option(...unprovedOption)
    .action(async (who: string, role: string, options) =>
      (await import('../users/accounts.ts')).setUserRole(who, role, options),
    )
  group
    .command('sign-out')
    .alias('end-sessions')
    .description('End all sessions of a user. The user can sign in again.')
    .argument(...userArgument)
    .action(async (who: string) => (await import('../users/accounts.ts')).signOut(who))
}

const listExamples = `
Examples:
  muster users list
  muster users list --json | jq -r 'select(.status == "disabled").email'`

const showExamples = `
Examples:
  muster users show ada@example.com
  muster users show --issuer https://PROJECT.supabase.co/auth/v1 --subject 5f7c8ec7-c33c-4c00-8bba-fe82a1d0c3b2`

function addPreferenceCommands(group: Command): void {
  group
    .command('set-name')
    .description('Change the display name of a user. Without a name, remove it.')
    .argument(...userArgument)
    .argument('[name]', 'The new name, with 1 to 200 characters.')
    .action(async (who: string, name: string | undefined) =>
      (await import('../users/preferences.ts')).setPreference(who, { preference: 'displayName', label: 'name' }, name),
    )
}

function addSignInCommands(group: Command): void {
  group
    .command('create')
    .description(
      'Create a user who signs in with a password. The command prompts for the password or reads it from standard input.',
    )
    .requiredOption('-e, --email <address>', 'Email of the user.')
    .option('-n, --name <name>', 'Display name of the user.')
    .option('-r, --role <role>', 'Role of the user.', 'user')
    .option(
      '-g, --generate-password',
      'Generate a random password and print it once. The user must change it at the first sign-in.',
    )
    .option('--json', 'Print the user as JSON.')
    .addHelpText('after', createExamples)
    .action(async (options) => (await import('../users/create.ts')).createUser(options))
  group
    .command('invite')
    .description(
      'Invite someone to sign up. The invitation works once, for this email, if MUSTER_SIGN_UP is invitation or open. Prints only the invitation; Muster does not show it again.',
    )
    .requiredOption('-e, --email <address>', 'Email to sign up with.')
    .option('-n, --name <name>', 'Display name of the new user, who can change it.')
    .option('-r, --role <role>', 'Role of the new user.', 'user')
    .option(
      '--proved',
      'You hand the invitation to the owner of the email, so signing up verifies the email. An account with the same unverified email loses it.',
    )
    .option('--mail', 'Send the invitation by email instead of printing it. Signing up then verifies the email.')
    .option('--json', 'Print the invitation and its expiry time as JSON.')
    .addHelpText('after', inviteExamples)
    .action(async (options) => (await import('../users/create.ts')).inviteUser(options))
}

const createExamples = `
Examples:
  muster users create --email ada@example.com
  muster users create --email grace@example.com --role admin --generate-password
  muster users create --email ada@example.com < password.txt`

const inviteExamples = `
Examples:
  muster users invite --email grace@example.com
  muster users invite --email cfo@example.com --role admin --proved`

function addRecoveryCommands(group: Command): void {
  group
    .command('recover')
    .description(
      'Create a password-reset link. The link works once. If the user has a second factor, the link asks for it. Prints only the link; Muster does not show it again. Nothing changes until the link is used.',
    )
    .argument(...userArgument)
    .option('--reset-factors', 'Also remove the second factors, for a user who has lost them.')
    .option(...unprovedOption)
    .option('--expires <time>', 'Lifetime of the link, from 1h to 7d.', '24h')
    .option('--json', 'Print the link and its expiry time as JSON.')
    .addHelpText('after', recoverExamples)
    .action(async (who: string, options) => (await import('../users/recovery.ts')).createLink(who, options))
  group
    .command('unlock')
    .description(
      'Clear a user’s sign-in rate limit. It applies after wrong passwords or codes. Limits by network stay.',
    )
    .argument(...userArgument)
    .action(async (who: string) => (await import('../users/recovery.ts')).unlockUser(who))
  group
    .command('set-email')
    .description(
      'Change the email of a user. Sessions stay open; older recovery links stop working. If the service sends mail, it notifies the previous email if that was verified.',
    )
    .argument(...userArgument)
    .argument('<address>', 'The new email.')
    .option(
      '--proved',
      'You vouch that the new email belongs to the user. Accounts with the same unverified email lose it. Name the user by ID or by a verified email.',
    )
    .option(...unprovedOption)
    .action(async (who: string, address: string, options) =>
      (await import('../users/recovery.ts')).setEmail(who, address, options),
    )
  group
    .command('reset-factors')
    .description(
      'Remove a user’s second factors. Also removes recovery codes and ends sessions. The user then signs in with only the password. If the service sends mail, it notifies the user.',
    )
    .argument(...userArgument)
    .action(async (who: string) => (await import('../users/recovery.ts')).removeFactors(who))
}

const recoverExamples = `
Examples:
  muster users recover ada@example.com
  muster users recover ada@example.com --reset-factors --expires 2h`

function addDataCommands(group: Command): void {
  group
    .command('export')
    .description(
      'Print all data of a user as JSON. Contains no secrets. Users get the same from GET /auth/account/export.',
    )
    .argument(...userArgument)
    .addHelpText('after', '\nExample:\n  muster users export ada@example.com > ada.json')
    .action(async (who: string) => (await import('../users/erasure.ts')).exportUser(who))
  group
    .command('erase')
    .description(
      'Delete a user and their data. Disables the user and ends their sessions now, and deletes the data after MUSTER_ERASE_AFTER_DAYS. Until then the user, or muster users enable, can restore the account. Fails for the last administrator, for the only manager of an organization that has other members, and for a user with a subscription that has not ended.',
    )
    .argument('[user]', 'Email or ID.')
    .option('--now', 'Delete the user immediately. This cannot be undone.')
    .option(
      '--again',
      'After a restore: delete again the users that erasures.ndjson in the data directory lists and that the backup brought back.',
    )
    .addHelpText('after', eraseExamples)
    .action(async (who: string | undefined, options) => (await import('../users/erasure.ts')).eraseUser(who, options))
}

const eraseExamples = `
Examples:
  muster users erase ada@example.com
  muster users erase 0197b2a4-6cff-7a20-8a51-5fd1c4e0bb01 --now
  muster restore backup && muster users erase --again`
