# a loop that neither trains nor evaluates

import gc
import glob

import torch

for path in glob.glob("shards/*.pt"):
    shard = torch.load(path, map_location="cpu")
    torch.save({k: v.half() for k, v in shard.items()}, path)
    del shard
    gc.collect()
    torch.cuda.empty_cache()
