/** A model where none is named: one that a server on this machine holds. */
import { fail, ok, type Result } from '../base/result.ts';
import { baseUrlOf, rootOf } from '../parts/models/address.ts';
import { shownUrl } from '../parts/models/baseUrl.ts';
import { providers } from '../parts/models/providers.ts';
import { findLocal, type ServerPlace } from '../parts/models/windows/probe.ts';
import { type Fault, fault } from '../protocol/fault.ts';
import type { ModelDesk } from './model-desk.ts';

export type LocalPlace = ServerPlace & { readonly provider: string };

/** Where servers of one's own are expected: their usual ports, or where a variable or the config says. */
export function localPlaces({ world, settled }: Pick<ModelDesk, 'world' | 'settled'>): LocalPlace[] {
  return Object.entries(providers).flatMap(([provider, defaults]): LocalPlace[] => {
    const ownBaseUrl = settled.config.provider[provider]?.baseUrl;
    const base = defaults.server && baseUrlOf(provider, { defaults, ownBaseUrl, env: world.env });
    return base ? [{ provider, server: defaults.server, root: rootOf(base.baseUrl) }] : [];
  });
}

export async function findLocalModel(
  desk: ModelDesk,
): Promise<Result<{ readonly spec: string; readonly notices: readonly string[] }, Fault>> {
  const places = localPlaces(desk);
  const found = await findLocal(places, desk.http);
  if (!found) return fail(nothingFound(places, desk));
  const spec = `${found.provider}/${found.model.id}`;
  const notice = `No model is set; ${spec} is used, found at ${shownUrl(found.root)}. To keep it, write "model: ${spec}" into ${desk.settled.userConfigFile}.`;
  return ok({ spec, notices: [notice] });
}

function nothingFound(places: readonly LocalPlace[], { world: { env } }: ModelDesk): Fault {
  const looked = places
    .map(({ provider, root }) => `${provider} ${shownUrl(root).replace(/^https?:\/\//, '')}`)
    .join(', ');
  const keyed = Object.entries(providers)
    .filter(([, { keyVariables }]) => keyVariables.some((name) => env[name]?.trim()))
    .map(([provider]) => provider);
  const hint =
    keyed.length > 0 ? ` There is a key for ${keyed.join(', ')}; "smew models list" shows their models.` : '';
  return fault(
    'usage',
    `No model is set, and no server with models answers on this machine (${looked}). ` +
      `Name a model with -m, or as \`model\` in the config, as provider/model: -m openai/gpt-5-mini, -m ollama/qwen3:8b.${hint}`,
  );
}
