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
    said = open(sys.argv[4], 'rb').read()
    socket.send_fds(holder, [b'x'], [line.fileno()])
    holder.recv(1)
    with open(sys.argv[5] + '.new', 'w') as note:
        note.write('given')
    os.rename(sys.argv[5] + '.new', sys.argv[5])
    line.sendall(said)
    # At once: when the daemon looks, only the holder has the connection.
    os._exit(0)
