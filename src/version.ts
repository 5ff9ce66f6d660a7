/** The version of this build: put in by scripts/build, else told apart from any release. */
declare const SMEW_VERSION: string | undefined;

export const version: string = typeof SMEW_VERSION === 'string' ? SMEW_VERSION : '0.0.0-source';
