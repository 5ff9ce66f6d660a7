/** Takes keys and passwords out of the environment that commands see: what is printed there is sent to a model. */
import type { Environment } from './environment.ts';

/** Whole words of a variable's name that speak of a secret. */
const secretWord =
  /(?:^|_)(?:API_?KEY|KEY|KEYS|TOKENS?|SECRETS?|PASSWORDS?|PASSWD|PASSPHRASE|PWD_?HASH|CREDENTIALS?|COOKIE|PAT|AUTH)(?:_|\d|$)/i;
const secretEnding = /(?:APIKEY|TOKEN|SECRET|PASSWORD|PASSWD)$/i;
/** Keys that are known by their look, whatever the variable is called. */
const secretValue =
  /^(?:sk-|ghp_|gho_|ghs_|github_pat_|glpat-|xox[abpors]-|AKIA[0-9A-Z]{16}|AIza[\w-]{30})|-----BEGIN [A-Z ]*PRIVATE KEY/;

/** Names that only look like it. */
const harmless = new Set(['SSH_AUTH_SOCK', 'XAUTHORITY', 'GPG_KEY', 'KEYTIMEOUT']);

export interface ScrubRules {
  /** Names that commands may see all the same. */
  readonly keep: readonly string[];
  /** Further names that they must not see. */
  readonly names: readonly string[];
}

/** The names of the variables that hold a secret. */
export function secretNames(environment: Environment, { keep, names }: ScrubRules): string[] {
  return Object.entries(environment).flatMap(([name, value]) => {
    if (!value || keep.includes(name)) return [];
    if (names.includes(name)) return [name];
    if (harmless.has(name)) return [];
    return secretWord.test(name) || secretEnding.test(name) || secretValue.test(value) ? [name] : [];
  });
}

export function withoutNames(environment: Environment, names: readonly string[]): Environment {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !names.includes(name)));
}
