import {recordKnowledge} from '/work/wt/recall/scripts/context/record-knowledge.ts';
for (const r of ['shop', 'pipes']) console.log(r, await recordKnowledge(r));
