workers = 4
device = "cuda"
