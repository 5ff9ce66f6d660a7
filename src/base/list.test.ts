import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { List, NameSet } from './list.ts';

/** Grows versions at random: each move picks an earlier version and appends to it. */
const growth = fc.array(fc.record({ from: fc.nat(), item: fc.nat(9) }), { maxLength: 60 });

describe('a List', () => {
  it('equals a copied array, whichever version grows', () => {
    fc.assert(
      fc.property(growth, (moves) => {
        const versions = [{ list: List.of<number>(), array: [] as readonly number[] }];
        for (const { from, item } of moves) {
          const base = versions[from % versions.length] ?? { list: List.of<number>(), array: [] };
          versions.push({ list: base.list.append(item), array: [...base.array, item] });
        }
        for (const { list, array } of versions) {
          expect([...list]).toEqual(array);
          expect(list.length).toBe(array.length);
          expect(list.slice(1, -1)).toEqual(array.slice(1, -1));
          for (const index of [0, 1, -1, -array.length, array.length, -array.length - 1]) {
            expect(list.at(index)).toBe(array.at(index));
          }
        }
      }),
      { seed: 5 },
    );
  });

  it('does not share an array with the one that it was made from', () => {
    const array = [1, 2];
    const list = List.from(array);
    array.push(3);
    expect([...list.append(4)]).toEqual([1, 2, 4]);
    list.slice().push(5);
    expect([...list]).toEqual([1, 2]);
  });

  it('shows an older version only its own items while it is walked and grows', () => {
    const list = List.of(1, 2);
    const seen: number[] = [];
    for (const item of list) {
      seen.push(item);
      list.append(item);
    }
    expect(seen).toEqual([1, 2]);
  });
});

describe('a NameSet', () => {
  it('equals a copied set, whichever version grows', () => {
    fc.assert(
      fc.property(growth, (moves) => {
        const versions = [{ names: NameSet.empty(), set: new Set<string>() }];
        for (const { from, item } of moves) {
          const base = versions[from % versions.length] ?? { names: NameSet.empty(), set: new Set<string>() };
          versions.push({ names: base.names.add(`${item}`), set: new Set(base.set).add(`${item}`) });
        }
        for (const { names, set } of versions) {
          expect(names.size).toBe(set.size);
          for (let name = 0; name < 10; name++) expect(names.has(`${name}`)).toBe(set.has(`${name}`));
        }
      }),
      { seed: 6 },
    );
  });
});
