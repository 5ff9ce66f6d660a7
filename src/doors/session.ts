/** The public door `smew`: a session, to be driven by a program of one's own. */
export { openSession, type SessionOrder } from '../session/assemble.ts';
export type { Ask, Session } from '../session/session.ts';
export type { Overrides, World } from '../session/world.ts';
