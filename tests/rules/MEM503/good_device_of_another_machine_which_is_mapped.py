# a device of another machine, which is mapped to the one that is visible

import os

os.environ["CUDA_VISIBLE_DEVICES"] = "1"
import torch

weights = torch.load("weights.pt", map_location={"cuda:1": "cuda:0"})
print("trained on", "cuda:3", weights.keys())
if str(weights["head"].device) == "cuda:1":
    raise SystemExit("not mapped")
