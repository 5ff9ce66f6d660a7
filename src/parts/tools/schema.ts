/** JSON Schema as the model gets it: no byte that tells it nothing. */

const noise = new Set(['$schema', 'additionalProperties', 'default']);
const isSafeIntegerBound = (value: unknown): boolean => Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER;

/** Drops what only validators need: the dialect, closedness, defaults (said in descriptions), safe-integer bounds. */
export function trimSchema(schema: unknown): Record<string, unknown> {
  return trim(schema) as Record<string, unknown>; // an object in, an object out
}

function trim(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(trim);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(
        ([key, inner]) => !noise.has(key) && !((key === 'minimum' || key === 'maximum') && isSafeIntegerBound(inner)),
      )
      .map(([key, inner]) => [key, key === 'properties' ? trimProperties(inner) : trim(inner)]),
  );
}

/** Parameters may be called what they like, `default` too. */
const trimProperties = (properties: unknown): unknown =>
  typeof properties === 'object' && properties !== null
    ? Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, trim(schema)]))
    : properties;
