import { isFields } from '../../divergence/same-value.ts'

/** The SQL of a step's input; empty if there is none. */
export function sqlOf(input: unknown): string {
  return isFields(input) && typeof input['sql'] === 'string' ? input['sql'] : ''
}

/** The transaction that a step is part of. */
export function transactionOf(input: unknown): number | undefined {
  return isFields(input) && typeof input['transaction'] === 'number' ? input['transaction'] : undefined
}
