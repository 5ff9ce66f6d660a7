/** The public door `smew/policy`: the five joints. */
export type { Compact, Deny, ModelRequest, Nudge, Policy, Stop, View } from '../loop/ports.ts';
