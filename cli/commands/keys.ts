import { type Command, CommanderError, Option } from 'commander'
import { undeterminedExitCode } from '../errors.ts'
import type { CheckFileOptions } from '../keys/check-file.ts'
import type { CheckOptions } from '../keys/check-key.ts'
import type { WatchOptions } from '../keys/watch.ts'
import { wholeNumber } from '../options.ts'

// Each action loads its own file: together they would double the start time of every command of this group.

export function keys(group: Command): void {
  addCheck(group)
  addWatch(group)
  addIssuerCommands(group)
}

function addCheck(group: Command): void {
  const check = group
    .command('check')
    .description(
      'Check whether a provider key works. The command prompts for the key or reads it from standard input. The key is not an argument, because other users of the machine could see it. Needs no database.',
    )
    .option('-p, --provider <id>', 'Provider, such as cloudflare. Default: MUSTER_DEFAULT_PROVIDER.')
  addKeyOptions(check)
    .option('--details', 'Print everything that the check found out.')
    .option('--for-zone <name>', 'Also print whether the key can access this zone.')
    .option('--for-ability <name>', 'Also print whether the key has this ability, such as dns:edit.')
    .option('--prove', 'With both: send a write that cannot succeed, if only that shows the ability.')
    .option('--json', 'Print the response of the service; with --file, the counts.')
    .addOption(
      new Option('-f, --file <path>', 'Check many keys from a CSV file, or - for standard input.').conflicts(
        oneKeyOnly,
      ),
    )
    .option('-r, --report <path>', 'With --file: write the outcome of every line to this .csv or .json file.')
    .option('-y, --yes', 'With --file: replace an existing report.')
    .option(
      '--resume <report>',
      'With --file: keep the verdicts of this report and check the other lines. Without --report, update this report.',
    )
    .addOption(
      new Option('--only <outcome>', 'With --resume: check only lines with this outcome.').choices(['undetermined']),
    )
    .option(
      '--fresh',
      'With --file: also send keys that failed in the last minutes, here or at the service. A single key is always sent.',
    )
    .option('--stop-after-invalid <number>', 'With --file: stop after this many invalid keys.', wholeNumber(1, 999_999))
    .option('--at-once <number>', 'With --file: number of parallel checks.', wholeNumber(1, 256), 8)
    .option('--wait <seconds>', 'With --file: maximum wait for a provider.', wholeNumber(0, 86_400), 900)
    .addHelpText('after', checkText)
    .exitOverride(asUndetermined)
    .action(async (options: CheckOptions & Omit<CheckFileOptions, 'file'> & { file?: string }, command: Command) => {
      const { file } = options
      if (file === undefined) {
        refuseWithoutFile(command)
        const { checkKey } = await import('../keys/check-key.ts')
        return checkKey(options)
      }
      if (options.only !== undefined && options.resume === undefined)
        command.error("error: option '--only <outcome>' needs --resume.")
      const { checkFile } = await import('../keys/check-file.ts')
      return checkFile({ ...options, file })
    })
}

/** The options of one key, for `keys check` and `providers probe`. */
export function addKeyOptions(command: Command): Command {
  const collect = (value: string, before: readonly string[] = []) => [...before, value]
  return command
    .addOption(new Option('-t, --key-type <type>', 'Type of the key.').choices(['api_token', 'api_key']))
    .option('-e, --email <address>', 'Email of the provider account, if the provider needs it.')
    .option('--part <name=value>', 'Another part of the key that is not secret. Repeatable.', collect)
    .option('--part-file <name=path>', 'Another part of the key, read from a file. Repeatable.', collect)
}

const oneKeyOnly = ['details', 'forZone', 'forAbility', 'prove', 'part', 'partFile']

const fileOnly = ['report', 'yes', 'resume', 'only', 'fresh', 'stopAfterInvalid', 'atOnce', 'wait']

function refuseWithoutFile(command: Command): void {
  const given = fileOnly.find((name) => command.getOptionValueSource(name) === 'cli')
  const option = command.options.find((one) => one.attributeName() === given)
  if (option) command.error(`error: option '${option.flags}' needs --file.`)
}

const checkText = `
Exit codes:
  0  the key is valid
  1  the key is invalid
  2  undetermined: the provider gave no verdict, or the check could not start

Examples:
  muster keys check
  muster keys check --provider cloudflare --key-type api_token < token.txt
  muster keys check -t api_key -e ada@example.com --details
  muster keys check --for-zone example.com --for-ability dns:edit < token.txt
  muster keys check -p route53 --part accessKeyId=AKIAIOSFODNN7EXAMPLE < secret.txt

Many keys:
  The first line of the file names the columns: key and, optionally, provider, key_type, email, label
  and further parts of a key, such as accessKeyId. Empty fields default to --provider, --key-type and
  --email. Reports and other output identify a line by its number and label and never contain a key.
  If a provider limits the rate or locks out this address, the command waits. Keys without a verdict
  after --wait are undetermined, never invalid. Ctrl-C writes the report of the checks so far.

Exit codes with --file:
  0  every key is valid
  1  every key has a verdict, and at least one is invalid
  2  at least one key is undetermined, or its line is malformed

Examples:
  muster keys check --file keys.csv --report outcome.csv
  muster keys check --file keys.csv --resume outcome.csv
  muster keys check --file - -p hetzner < keys.csv`

function addWatch(group: Command): void {
  group
    .command('watch')
    .description(
      'Check the keys in a file on a schedule. The file names keys by environment variable or file. Prints keys that are invalid, undetermined or about to expire. Run this command from a timer. Stores no key and needs no database.',
    )
    .requiredOption('-c, --config <path>', 'JSON file that names the keys. See docs/checking-keys.md.')
    .option('--days <number>', 'Print keys that expire within this many days.', wholeNumber(0, 3_650), 30)
    .option('--textfile <path>', 'Also write metrics for the textfile collector of node_exporter.')
    .option('--wait <seconds>', 'Maximum wait for a provider.', wholeNumber(0, 86_400), 900)
    .addHelpText('after', watchExitCodes)
    .exitOverride(asUndetermined)
    .action(async (options: WatchOptions) => {
      const { watchKeys } = await import('../keys/watch.ts')
      return watchKeys(options)
    })
}

const watchExitCodes = `
Exit codes:
  0  every key is valid, and none expires soon
  1  a key is invalid or expires soon
  2  a key is undetermined, or the checks could not start`

function addIssuerCommands(group: Command): void {
  group
    .command('rotate-signing')
    .description(
      'Replace the key that signs access tokens. The new key is published now and signs after ten minutes. The old key verifies until its last token has expired. Nodes need no restart.',
    )
    .option('--withdraw-old', 'For a leaked key: sign with the new key now, and stop accepting the old ones.')
    .option('--json', 'Print the ID of the new key and when it starts to sign as JSON.')
    .action(async (options) => (await import('../keys/issuer-keys.ts')).rotateSigning(options))
  group
    .command('re-encrypt')
    .alias('reseal') // the former name
    .description(
      'Re-encrypt stored secrets with the current encryption key. Covers everything that MUSTER_ENCRYPTION_KEY_PREVIOUS encrypted: signing keys, secrets of second factors, queued mail and webhook secrets. Then remove the previous key.',
    )
    .action(async () => (await import('../keys/issuer-keys.ts')).reEncrypt())
}

/** Without this, a script could take a mistyped option (exit code 1) for an invalid key. */
export function asUndetermined({ exitCode, code, message }: CommanderError): never {
  throw new CommanderError(exitCode === 0 ? 0 : undeterminedExitCode, code, message)
}
