import { type Command, Option } from 'commander'
import { type AnyFilter, filterNames, filters } from '../src/users/filters.ts'

/** Adds an option for every filter of the list of users. */
export function addFilterOptions(command: Command): Command {
  for (const name of filterNames) command.addOption(optionOf(filters[name]))
  return command
}

export function optionOf({ option, schema }: AnyFilter): Option {
  const made = new Option(option.flags, option.description)
  return 'enum' in schema && Array.isArray(schema.enum) ? made.choices(schema.enum) : made
}
