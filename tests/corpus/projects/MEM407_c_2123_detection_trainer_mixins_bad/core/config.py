from types import SimpleNamespace

cfg = SimpleNamespace(DEVICE="cuda", WORKERS=0, BATCH=4, EPOCHS=12)
