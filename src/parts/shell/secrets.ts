/** Takes keys and passwords out of the environment that commands see: what is printed there is sent to a model. */
import type { Environment } from './environment.ts';

/** Whole words of a variable's name that speak of a secret. */
const secretWord =
  /(?:^|_)(?:API_?KEY|KEY|KEYS|TOKENS?|SECRETS?|PASSWORDS?|PASSWD|PASSPHRASE|PWD_?HASH|CREDENTIALS?|COOKIE|PAT|AUTH|CONNECTION_?STRING|WEBHOOK(?:_UR[IL])?)(?:_|\d|$)/i;
const secretEnding =
  /(?:APIKEY|ACCESSKEY|SECRETKEY|TOKEN|SECRET|PASSWORD|PASSWD|USERPWD|SSHPASS|CONNECTIONSTRING)$|(?:^|_)(?:PASS|PW|PWD)\d*$/i;
/** Keys that are known by their look, whatever the variable is called. */
const secretValues: readonly RegExp[] = [
  /^(?:sk-|[sr]k_(?:live|test)_|whsec_|gh[oprsu]_|github_pat_|glpat-|dop_v1_|xox[abeoprs]-|xapp-)/,
  /^(?:npm_\w{30}|pypi-\w{16}|hf_\w{16}|gsk_\w{16}|xai-\w{16}|r8_\w{16}|A[KS]IA[0-9A-Z]{16}|AIza[\w-]{30}|SG\.[\w-]{16})/,
  /^eyJ[\w-]+\.eyJ[\w-]+\./,
  /^Bearer \S{8}|^Basic (?=\S*[A-Z\d])[\w+/]{8,}=*$/,
  /-----BEGIN [A-Z ]*PRIVATE KEY/,
  /^https:\/\/(?:hooks\.slack\.com\/|discord(?:app)?\.com\/api\/webhooks\/)/,
  /(?:^|;)\s*(?:AccountKey|SharedAccessKey|Password|Pwd)=[^;]/i,
];
/** `scheme://user:password@host`. */
const addressWithPassword = /^[a-z][\w+.-]*:\/\/[^\s/@:]*:([^\s/@]+)@/i;
/** Without these addresses nothing could be fetched or installed where they are needed; their passwords go along. */
const neededAddress =
  /_proxy$|^(?:PIP|UV)_(?:EXTRA_)?(?:INDEX_URL|INDEX|DEFAULT_INDEX)$|^npm_config_registry$|^GOPROXY$/i;

/** Names that only look like it. */
const harmless = new Set(['SSH_AUTH_SOCK', 'XAUTHORITY', 'GPG_KEY', 'KEYTIMEOUT', 'PWD']);

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
    return isSecret(name, value) ? [name] : [];
  });
}

/** The passwords in addresses, those among them that commands get. */
export const addressPasswords = (environment: Environment): string[] =>
  Object.values(environment).flatMap((value) => addressWithPassword.exec(value ?? '')?.[1] ?? []);

const isSecret = (name: string, value: string): boolean =>
  secretWord.test(name) ||
  secretEnding.test(name) ||
  secretValues.some((look) => look.test(value)) ||
  (addressWithPassword.test(value) && !neededAddress.test(name));

export function withoutNames(environment: Environment, names: readonly string[]): Environment {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !names.includes(name)));
}
