/** The kinds of contact with the world that make a step. */
export type Boundary = 'model' | 'http' | 'tool' | 'external'

/** Whether a step only looks at the outside world or changes it. */
export type Effect = 'read' | 'write'

/** The effects of requests, by pattern: `{ 'POST search.example/v1/*': 'read' }`. The first pattern that matches decides. */
export type RequestEffects = Readonly<Record<string, Effect>>
