# Draws a clock and takes keys: its reads end by themselves after half a second (VTIME).
import os
import sys
import termios
import time

modes = termios.tcgetattr(0)
modes[3] &= ~(termios.ICANON | termios.ECHO)
modes[6][termios.VMIN] = 0
modes[6][termios.VTIME] = 5
termios.tcsetattr(0, termios.TCSANOW, modes)
while not os.read(0, 1):
    sys.stdout.write("\r%s, q to quit" % time.ctime())
    sys.stdout.flush()
