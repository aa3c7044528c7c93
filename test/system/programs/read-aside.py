# Works, and has a thread that takes commands from the terminal, as some servers do.
import sys
import threading
import time

threading.Thread(target=sys.stdin.readline, daemon=True).start()
print("ready? ", end="", flush=True)
while True:
    time.sleep(1000)
