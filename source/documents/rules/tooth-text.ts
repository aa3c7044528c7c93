import type {Tooth} from '../../domain/index.ts';

/** A tooth as its author would write it. */
export function toothText(tooth: Tooth): string {
  switch (tooth.kind) {
    case 'protect':
    case 'only':
    case 'forbid-path':
      return `${tooth.kind}: ${tooth.globs.join(', ')}`;
    case 'max-files':
    case 'max-lines':
      return `${tooth.kind}: ${tooth.most}`;
    case 'forbid':
      return `forbid: /${tooth.pattern}/${tooth.flags}`;
    case 'require':
      return `require: ${tooth.command}`;
  }
}
