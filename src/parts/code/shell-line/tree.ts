/** A command line as a tree of our own. What could not be read is in it as `unknown`, never left out. */

/** Where something stands in the line: UTF-16 offsets, the end excluded. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Word {
  readonly span: Span;
  /** As written. */
  readonly source: string;
  /** What the program gets; undefined where the shell expands it (variables, patterns, substitutions). */
  readonly value: string | undefined;
  /** Lines that run while the word is expanded: `$(...)`, backquotes, `<(...)`. */
  readonly substitutions: readonly Sequence[];
}

export interface Assignment {
  readonly name: string;
  readonly value: Word | undefined;
}

export interface Redirection {
  readonly span: Span;
  /** `>`, `2>&1` is `>&` with descriptor 2, `<<` for here-documents, `<<<` for here-strings. */
  readonly operator: string;
  readonly descriptor: number | undefined;
  readonly target: Word | undefined;
}

/** A program, a builtin or assignments alone: `words` may be empty. */
export interface Simple {
  readonly kind: 'simple';
  readonly span: Span;
  readonly words: readonly Word[];
  readonly assignments: readonly Assignment[];
  readonly redirections: readonly Redirection[];
}

/** Also a single negated command. */
export interface Pipeline {
  readonly kind: 'pipeline';
  readonly span: Span;
  readonly stages: readonly Node[];
  readonly isNegated: boolean;
}

export interface AndOr {
  readonly kind: 'and-or';
  readonly span: Span;
  readonly left: Node;
  readonly operator: '&&' | '||';
  readonly right: Node;
}

export interface Item {
  readonly node: Node;
  /** `&` runs it in the background. */
  readonly isBackground: boolean;
}

/** Commands one after the other, by `;`, `&` or new lines. */
export interface Sequence {
  readonly kind: 'sequence';
  readonly span: Span;
  readonly items: readonly Item[];
}

/** `( )` and `{ }`. */
export interface Group {
  readonly kind: 'subshell' | 'group';
  readonly span: Span;
  readonly body: Sequence;
  readonly redirections: readonly Redirection[];
}

export interface If {
  readonly kind: 'if';
  readonly span: Span;
  readonly condition: Sequence;
  readonly body: Sequence;
  /** An `elif` is an `if` in here. */
  readonly otherwise: Sequence | undefined;
  readonly redirections: readonly Redirection[];
}

/** `for`, `while`, `until`, `select`. */
export interface Loop {
  readonly kind: 'loop';
  readonly span: Span;
  readonly condition: Sequence | undefined;
  /** What it goes through. */
  readonly words: readonly Word[];
  readonly body: Sequence;
  readonly redirections: readonly Redirection[];
}

export interface Case {
  readonly kind: 'case';
  readonly span: Span;
  readonly words: readonly Word[];
  readonly branches: readonly Sequence[];
  readonly redirections: readonly Redirection[];
}

export interface FunctionDefinition {
  readonly kind: 'function';
  readonly span: Span;
  readonly name: string;
  readonly body: Sequence;
}

/** The parser did not understand it, or it lies deeper than is read. */
export interface Unknown {
  readonly kind: 'unknown';
  readonly span: Span;
  readonly source: string;
  readonly reason: 'syntax' | 'depth' | 'size' | 'parser';
}

export type Node = Simple | Pipeline | AndOr | Sequence | Group | If | Loop | Case | FunctionDefinition | Unknown;

export interface Line {
  readonly source: string;
  readonly body: Sequence;
  /** Something in it is unknown: nothing may be concluded from what is absent. */
  readonly hasErrors: boolean;
}
