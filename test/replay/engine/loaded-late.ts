/** What a module that is loaded late exports. */
export const greeting = 'Hello'
