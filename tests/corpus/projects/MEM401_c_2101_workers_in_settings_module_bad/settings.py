ROOT = "tiles"
BATCH = 8
NUM_WORKERS = 0
DEVICE = "cuda"
