/** Every advice that a report can give. `test/advice/` makes a report that gives it, follows it, and looks at what comes out. */
export const adviceIds = [
  // To accept a change.
  'accept',
  'record-again',
  'promote-newer',
  'answer-call',
  'allow-model',
  // To leave out what may differ.
  'ignore-headers',
  'ignore-own-value',
  'leave-out',
  'mute-telemetry',
  // What the test or the process does.
  'remove-mock',
  'mocked-own-module',
  'restore-functions',
  'replay-fresh',
  'keep-once',
  'keep-once-and-record',
  'ambient-if-shared',
  'declare-ambient',
  'see-recorded-run',
  // Contacts that are not recorded.
  'return-instead-of-exit',
  'wrap-contact',
  'wrap-database',
  'declare-live',
  'wrap-native',
  'allow-native',
  'wrap-lost-contact',
  'create-inside',
  'allow-lost-contact',
  // What no recording has.
  'check-not-compared',
  'not-reproduced',
  'not-reproduced-decision',
  'source-as-step',
  'decision-as-step',
  'own-work-races',
  'own-work-as-step',
  'end-the-wait',
  'read-clock-inside',
  'keep-constant',
  'run-tools',
  // Of incidents.
  'fix-the-agent',
  'prompt-needs-model',
  'decide-without-chance',
  'delete-golden',
  'reach-trigger-again',
  'promote-newer-incident',
  'add-check',
  'promote-incident-again',
  'change-checks',
  'expect-error',
  'allow-write',
  'answer-in-golden',
  // To look closer.
  'see-both',
  'debug',
] as const

/** The name of an advice, which does not change with its words. */
export type AdviceId = (typeof adviceIds)[number]
