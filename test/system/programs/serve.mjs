// Listens at the given places (`127.0.0.1:3000`, or the path of a socket) and says so; serves `/` until it is ended.
import http from 'node:http';
import process from 'node:process';

const places = process.argv.slice(2);
let open = 0;
for (const place of places) {
  const port = /:(\d+)$/.exec(place)?.[1];
  const server = http.createServer((request, response) => {
    response.writeHead(request.url === '/' ? 200 : 404).end('here\n');
  });
  server.listen(
    port === undefined
      ? place
      : {
          host: place.slice(0, -port.length - 1),
          port: Number(port),
          ipv6Only: place.startsWith('::1'),
        },
    () => {
      open += 1;
      if (open === places.length) process.stdout.write(`listening ${process.pid}\n`);
    },
  );
}
