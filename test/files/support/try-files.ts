import {listDirectory, readRegularFile} from '../../../source/files/index.ts';

/** Run as somebody else: tells what becomes of reading each file, and how much memory it took. */
const [below = '', ...files] = process.argv.slice(2);
const answers = files.map((file) => {
  const reading = readRegularFile(file, {maxBytes: 1024 * 1024, below});
  const listing = listDirectory(file, {maxEntries: 10, below});
  return {
    file,
    reading: reading.at === 'read' ? 'read' : reading.why,
    text: reading.at === 'read' ? reading.bytes.toString() : reading.message,
    listing: listing.at === 'read' ? 'read' : listing.why,
  };
});
process.stdout.write(JSON.stringify({answers, rss: process.memoryUsage().rss}));
