/** As much of the parser's nodes as is used here. */
export interface SyntaxNode {
  readonly type: string;
  readonly text: string;
  readonly startIndex: number;
  readonly endIndex: number;
  readonly isNamed: boolean;
  readonly isMissing: boolean;
  readonly children: readonly SyntaxNode[];
}
