/** The classes of retention, in order of precedence. */
export const RETENTION_CLASSES = ['promoted', 'flagged', 'test', 'failed', 'successful'] as const

export type RetentionClass = (typeof RETENTION_CLASSES)[number]

/**
 * Returns the prefix of everything in a bucket that one retention rule applies to, so that a lifecycle rule can expire it:
 * `runs/failed/`, `runs/plan%3Dfree/`. No such prefix begins with another one.
 *
 * @param rule A class, or a tag as retention names it: see `ruleOf`.
 * @param prefix The store's prefix within its bucket, without a slash at its end. Default: none.
 */
export function retentionPrefix(rule: string, prefix: string = ''): string {
  return `${prefix === '' ? '' : `${prefix}/`}runs/${encodeURIComponent(rule)}/`
}
