/** How the advice on each cause begins. */
export const accept = 'To accept the new input'
export const answer = 'To give it an answer'
export const recordWithout = 'If the agent no longer has to make it,'
export const recordOrder = 'If the new order is right,'
export const acceptOutcome = 'To accept the new outcome'
