import { compileValidator } from '../src/platform/http/input.ts'
import { filterNames, filters, type UsersFilters } from '../src/users/filters.ts'
import { UsersQuery } from '../src/users/list-contract.ts'
import { Fault } from './fault.ts'
import { optionOf } from './filter-options.ts'

/** The filters that were given, held to the schemas of the query parameters. */
export function filtersOf(options: Readonly<Record<string, unknown>>): UsersFilters {
  const given = filterNames.flatMap((name) => {
    const value = options[optionOf(filters[name]).attributeName()]
    return value === undefined ? [] : [[name, value] as const]
  })
  const { value, error } = compileValidator({ schema: UsersQuery, httpPart: 'querystring' })(Object.fromEntries(given))
  const faults = error?.more.errors?.map(
    (fault) => `${'parameter' in fault ? flagOf(fault.parameter) : ''} ${fault.detail}`,
  )
  if (error) throw new Fault(`${faults?.join('; ')}.`)
  // The trust boundary: the options of the command line, which the schema has accepted.
  return value as UsersFilters
}

function flagOf(parameter: string): string {
  const name = filterNames.find((known) => known === parameter)
  return name === undefined ? parameter : `--${optionOf(filters[name]).name()}`
}
