"""A service with a batch loop; DataParallel at inference, late env variables, hub weights."""
import os
import time

import torch
from fastapi import FastAPI
from torchvision.models import resnet50

app = FastAPI()
net = resnet50()
net.load_state_dict(torch.load("w.pt"))  #! MEM701
net.cuda().eval()
os.environ["CUDA_VISIBLE_DEVICES"] = "3"  #! MEM503
QUEUE = []


def loop():
    while True:
        if not QUEUE:
            time.sleep(0.01)
            continue
        batch = torch.stack([QUEUE.pop() for _ in range(min(8, len(QUEUE)))])
        with torch.no_grad():
            out = net(batch.cuda()).argmax(1).tolist()
        torch.cuda.empty_cache()  #! MEM501
        print(out)
