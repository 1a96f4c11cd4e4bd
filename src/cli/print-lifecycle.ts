import { toLifecycle } from '../stores/lifecycle.ts'
import type { RetentionOptions } from '../stores/retention.ts'
import type { Terminal } from './terminal.ts'

/**
 * `goldenrun gc --lifecycle`: prints the configuration of a bucket's lifecycle.
 *
 * @param prefix Of the store in its bucket: true if it has none.
 */
export function printLifecycle(retention: RetentionOptions, prefix: string | true, terminal: Terminal): void {
  const { lifecycle, withoutSize } = toLifecycle(retention, prefix === true ? '' : prefix.replaceAll(/^\/+|\/+$/g, ''))
  terminal.printJson(lifecycle)
  if (withoutSize.length > 0)
    terminal.printError(`Buckets know no limits of size, so these are left to goldenrun gc --delete: ${withoutSize.join(', ')}.`)
}
