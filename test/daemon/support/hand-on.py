# hand-on.py hold HOLDER: keeps whatever connection it is given. hand-on.py give HOLDER SOCKET BYTES RESULT: asks, gives the connection away, and ends.
import os, socket, sys, time

if sys.argv[1] == 'hold':
    door = socket.socket(socket.AF_UNIX)
    door.bind(sys.argv[2])
    door.listen(1)
    print('holds', flush=True)
    taken, _ = door.accept()
    kept = socket.recv_fds(taken, 16, 1)
    taken.send(b'x')
    time.sleep(600)
else:
    holder = socket.socket(socket.AF_UNIX)
    holder.connect(sys.argv[2])
    line = socket.socket(socket.AF_UNIX)
    line.connect(sys.argv[3])
    line.sendall(open(sys.argv[4], 'rb').read())
    socket.send_fds(holder, [b'x'], [line.fileno()])
    holder.recv(1)
    open(sys.argv[5], 'w').write('given')
