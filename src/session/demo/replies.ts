/** What the demo's model says when none is configured. Played by the scripted server; everything else is real. */

export const demoReplies = [
  { text: 'I run the test first, to see what fails.', calls: [{ op: 'bash', command: 'node test/postage.test.js' }] },
  { text: 'The second kilogram is not charged. I read the code.', calls: [{ op: 'read', path: 'src/postage.js' }] },
  {
    text: 'A started kilogram counts as a whole one, so the count must be rounded up and not down.',
    calls: [{ op: 'edit', path: 'src/postage.js', old: 'Math.floor((grams', new: 'Math.ceil((grams' }],
  },
  { text: 'Now the test again.', calls: [{ op: 'bash', command: 'node test/postage.test.js' }] },
  {
    text: 'The surcharge was counted with Math.floor, so a started kilogram was free. It is rounded up now.\n\nChanged: src/postage.js. Verified by: node test/postage.test.js (4 assertions pass).',
  },
] as const;
