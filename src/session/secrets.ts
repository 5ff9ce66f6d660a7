/** Keys that this user's environment and config hold: nothing that leaves the machine may show them. */
import { redact } from '../parts/models/redact.ts';
import type { World } from './world.ts';

const secretName = /KEY|TOKEN|SECRET|PASSW|CREDENTIAL/i;
const shortest = 8;

/** Replaces the values of secret-looking variables, and whatever looks like a key. */
export function withoutSecrets(text: string, { env }: Pick<World, 'env'>): string {
  const secrets = Object.entries(env).flatMap(([name, value]) =>
    secretName.test(name) && value !== undefined && value.length >= shortest ? [value] : [],
  );
  return redact(text, secrets);
}
