/** `smew cost`: what was spent today, by model, and in the latest session of this folder. */
import { spending } from '../../session/spending.ts';
import { costTable } from '../../surfaces/headless/cost.ts';
import { type CommandIo, failWith, print } from '../command-io.ts';
import type { Invocation } from '../invocation.ts';

export async function runCost(
  { cd, isJson }: Extract<Invocation, { command: 'cost' }>,
  io: CommandIo,
): Promise<number> {
  const spent = spending(io.world, cd);
  if (!spent.ok) return await failWith(spent.fault, io);
  const { day, today, latest } = spent.value;
  const { byModel, ...total } = today;
  const models = [...byModel].map(([model, one]) => ({ model, ...one }));
  if (isJson)
    return await print(JSON.stringify({ day, today: { ...total, models }, latest: latest ?? null }, undefined, 2), io);
  const rows = [
    { name: `Today, ${day}`, spent: total },
    ...models.map(({ model, ...one }) => ({ name: `  ${model}`, spent: one })),
    ...(latest ? [{ name: `Session ${latest.id}`, spent: latest.spent }] : []),
  ];
  return await print(costTable(rows), io);
}
