/** How often the agent requests a refund before it gives up. */
export const TRIES = 3

export const PAUSE_MS = 20

/** How often the agent checks whether a refund is settled. */
export const LOOKS = 4

export const REQUEST_LIMIT_MS = 5000

export const MODEL_LIMIT_MS = 30_000

export const NOTIFY_LIMIT_MS = 2000

/** The recipient of messages about refunds. */
export const RECIPIENT = 'refunds@shop.com'

/** The account that refunds are paid from. */
export const ACCOUNT = 'DE89370400440532013000'

/** How long a refund may be claimed. */
export const CLAIM_MS: number = 60 * 60 * 1000

/** Features that are switched on. */
export const FLAGS: Readonly<Record<'notify' | 'score', boolean>> = { notify: true, score: false }
