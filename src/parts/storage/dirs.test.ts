import { describe, expect, it } from 'vitest';
import { dataDirs } from './dirs.ts';

describe('the directories of Smew', () => {
  it('follow the XDG defaults', () => {
    expect(dataDirs({}, '/home/ada')).toEqual({
      data: '/home/ada/.local/share/smew',
      config: '/home/ada/.config/smew',
      cache: '/home/ada/.cache/smew',
    });
  });

  it('follow the XDG variables, of which relative and empty ones do not count', () => {
    const env = { XDG_DATA_HOME: '/data', XDG_CONFIG_HOME: 'relative', XDG_CACHE_HOME: '' };
    expect(dataDirs(env, '/home/ada')).toEqual({
      data: '/data/smew',
      config: '/home/ada/.config/smew',
      cache: '/home/ada/.cache/smew',
    });
  });

  it('are all under SMEW_HOME where it is set', () => {
    expect(dataDirs({ SMEW_HOME: '/else', XDG_DATA_HOME: '/data' }, '/home/ada')).toEqual({
      data: '/else/data',
      config: '/else',
      cache: '/else/cache',
    });
  });
});
