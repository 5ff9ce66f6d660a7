/** The public door `smew/tool`: what a new tool is made of. */
export type { ToolAnswer, ToolIo } from '../loop/ports.ts';
export { defineTool, type Tool, type ToolDefinition, toolBox } from '../parts/tools/tool.ts';
