/** The classes of retention, the one that keeps a run before the others first. */
export const RETENTION_CLASSES = ['promoted', 'flagged', 'test', 'failed', 'successful'] as const

export type RetentionClass = (typeof RETENTION_CLASSES)[number]

/**
 * Where a bucket holds everything of the recordings that one rule of retention applies to, so that a lifecycle rule can expire them:
 * `runs/failed/`, `runs/plan%3Dfree/`. No prefix begins with another one.
 *
 * @param rule A class, or a tag as retention names it: see `ruleOf`.
 * @param prefix Of the store within its bucket, without a slash at its end. Default: none.
 */
export function retentionPrefix(rule: string, prefix: string = ''): string {
  return `${prefix === '' ? '' : `${prefix}/`}runs/${encodeURIComponent(rule)}/`
}
