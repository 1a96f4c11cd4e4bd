import { Option } from 'commander'
import { DEFAULT_STORE } from '../stores/default-store.ts'

/** The option that says where recordings are. */
export function storeOption(): Option {
  return new Option('--store <dir>', 'the directory that your recorder writes to').default(DEFAULT_STORE)
}

/** The option that turns a command's output into data. */
export function jsonOption(): Option {
  return new Option('--json', 'print one JSON object and nothing else')
}
