"""Runs a command on a terminal, and types an answer when a text appears: terminal.py TEXT ANSWER COMMAND..."""

import os
import pty
import re
import sys

text, answer, *command = sys.argv[1:]
child, terminal = pty.fork()
if child == 0:
    os.execvp(command[0], command)

output = b""
answered = False
while True:
    try:
        part = os.read(terminal, 65536)
    except OSError:  # Linux reports the end of the last process on a terminal as an error.
        break
    if not part:
        break
    output += part
    if not answered and text.encode() in output:
        answered = True
        os.write(terminal, answer.encode())

without_moves = re.sub(rb"\x1b\[[0-9;]*[A-Za-z]", b"", output)
sys.stdout.buffer.write(re.sub(rb"\r+\n", b"\n", without_moves))
sys.stdout.flush()
status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
sys.exit(status if status >= 0 else 128 - status)
