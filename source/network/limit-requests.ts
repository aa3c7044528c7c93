import type {Server as HttpServer, ServerResponse} from 'node:http';
import type {Socket} from 'node:net';

/**
 * Ends connections on which no whole request comes in time, the first as well as each after it. Node's own limit for headers works only for
 * servers that listen themselves.
 */
export function limitRequests(http: HttpServer, withinMs: number): void {
  const waiting = new WeakMap<Socket, NodeJS.Timeout>();
  const underWay = new WeakMap<Socket, number>();
  const stopWaiting = (socket: Socket): void => {
    clearTimeout(waiting.get(socket));
  };
  const wait = (socket: Socket): void => {
    stopWaiting(socket);
    waiting.set(
      socket,
      setTimeout(() => {
        socket.destroy();
      }, withinMs),
    );
  };

  http.on('connection', (socket: Socket) => {
    wait(socket);
    socket.once('close', () => {
      stopWaiting(socket);
    });
  });
  http.on('connect', (_request, socket) => {
    stopWaiting(socket as Socket);
  });
  http.on('request', ({socket}, response: ServerResponse) => {
    stopWaiting(socket);
    underWay.set(socket, (underWay.get(socket) ?? 0) + 1);
    response.once('close', () => {
      const left = (underWay.get(socket) ?? 1) - 1;
      underWay.set(socket, left);
      if (left === 0 && !socket.destroyed) wait(socket);
    });
  });
}
