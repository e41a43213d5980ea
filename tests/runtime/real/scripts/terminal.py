"""A progress bar as wide as the terminal, for the scripts beside it."""

import os
import sys
import time

_, term_width = os.popen("stty size", "r").read().split()
term_width = int(term_width)

TOTAL_BAR_LENGTH = 30.0
last_time = time.time()
begin_time = last_time


def progress_bar(current, total, msg=None):
    global last_time, begin_time
    if current == 0:
        begin_time = time.time()
    done = int(TOTAL_BAR_LENGTH * current / total)
    rest = int(TOTAL_BAR_LENGTH - done) - 1
    sys.stdout.write(" [" + "=" * done + ">" + "." * rest + "]")
    now = time.time()
    step_time, total_time = now - last_time, now - begin_time
    last_time = now
    text = f"  Step: {format_time(step_time)} | Tot: {format_time(total_time)}"
    if msg:
        text += " | " + msg
    sys.stdout.write(text)
    sys.stdout.write(" " * max(0, term_width - int(TOTAL_BAR_LENGTH) - len(text) - 3))
    sys.stdout.write("\r" if current < total - 1 else "\n")
    sys.stdout.flush()


def format_time(seconds):
    minutes, seconds = divmod(seconds, 60)
    whole = int(seconds)
    millis = int((seconds - whole) * 1000)
    return f"{int(minutes)}m{whole}s" if minutes else f"{whole}s{millis}ms"
