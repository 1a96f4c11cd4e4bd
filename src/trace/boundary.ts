/** The kinds of contact with the world that make a step. */
export type Boundary = 'model' | 'http' | 'tool' | 'external'

/** Whether a step only looks at the outside world or changes it. */
export type Effect = 'read' | 'write'
