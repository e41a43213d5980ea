import sys
WORKERS = 4
if sys.platform == "win32":
    WORKERS = 0


class Cfg:
    BATCH = 32
    WORKERS = 2


cfg = {"workers": 8}
